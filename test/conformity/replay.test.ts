import { afterAll, beforeAll, expect, test } from "bun:test";
import { STATUS_CODES } from "node:http";
import { SERVICE_NAMES } from "../../src/context.ts";
import { isQuickRun } from "../quick-run.ts";
import { onEachEngine } from "../test-app.ts";
import type { Reply } from "../wire/send.ts";
import { BROWSER_POLICY, CACHING, declaredHeaders, headersOf, undocumented, untabled } from "./conformity.ts";
import type { Described } from "./document.ts";
import { type Case, PROVOCATIONS, SUCCESSES, send } from "./provocations.ts";
import { type Place, placeAt, RECIPES, type Recipe } from "./recipes.ts";
import { otherThanReal, sendSimulated, takesSimulations, withoutNumbers } from "./simulation.ts";
import { openStage, type Shot, type Stage } from "./stage.ts";

// Causes every response that the API can give: each success, and each error of each operation in each media type. The response and
// all its headers must match the OpenAPI document. A header that is described but never sent is a fault as well.

/** A response that the test causes. A success has no `code`, and a response without a body has no `mediaType`. */
interface Expected {
  readonly status: string;
  readonly code: string | undefined;
  readonly mediaType: string | null;
}

/** Headers that are described but that no response in these tests has, in the form `status name`, each with the reason. */
const NEVER_SENT: ReadonlySet<string> = new Set(
  // The service sends a 405 before it counts the request for the rate limit.
  ["405 RateLimit", "405 RateLimit-Policy"],
);

onEachEngine(
  (store) => {
    let stage: Stage;
    // Error responses do not depend on the database, so the quick run tests them only on SQLite.
    let successesOnly: boolean;
    beforeAll(async () => {
      const settings = await store();
      successesOnly = isQuickRun && settings.databaseUrl !== undefined;
      stage = await openStage(settings);
    });
    afterAll(() => stage.close());

    for (const service of SERVICE_NAMES) {
      test(`every response that the document of ${service} describes can be provoked`, async () => {
        const faults: string[] = [];
        for (const operation of await operationsToReplay(stage, service))
          faults.push(...(await replay(stage, operation, successesOnly)));
        expect(faults).toEqual([]);
      });
    }

    test("every change of an existing resource, and nothing else, checks preconditions in the order 404, 412, 409", async () => {
      const place = placeAt(stage, "production");
      for (const operation of await stage.operations("production")) {
        const { id, method, path, responses } = operation;
        if (method === "GET") continue;
        // If the response is a 201 or 202, the request creates a resource, which has no version yet.
        const isConditional = path.includes("{") && !("201" in responses || "202" in responses);
        const names = operation.parameters.map(({ name }) => name);
        expect([id, names.includes("If-Match"), names.includes("If-None-Match")]).toEqual([
          ...[id, isConditional, isConditional],
        ]);
        const { success, refusals = {} } = RECIPES[id] ?? expect.unreachable();
        const answer = async (shot: Shot, headers: Record<string, string>) =>
          (await stage.send(operation, { ...shot, headers })).status;
        const shot = await success(place);
        const target = shot.target.replace(/\/(?!\d)[^/]*$/, "");
        const shown = () => stage.send({ service: "production", method: "GET" }, { target });
        const tag = isConditional ? ((await shown()).headers.get("ETag") ?? "") : '"x"';
        for (const [name, value, status] of [
          ["If-Match", '"other"', 412],
          ["If-Match", `W/${tag}`, 412],
          ["If-None-Match", "*", 412],
          ["If-None-Match", `"other", W/${tag}`, 412],
          ["If-None-Match", "x", 400],
        ] as const) {
          const found = await answer(isConditional ? shot : await success(place), { [name]: value });
          expect([id, name, value, isConditional ? found : found < 300]).toEqual([
            ...[id, name, value, isConditional ? status : true],
          ]);
        }
        if (!isConditional) continue;
        for (const [code, refused] of Object.entries(refusals)) {
          const [unmet, met] = code === "not_found" ? [404, 404] : [412, 409];
          const one = await refused(place);
          for (const headers of [{ "If-Match": '"other"' }, { "If-None-Match": "*" }])
            expect([id, code, await answer(one, headers)]).toEqual([id, code, unmet]);
          expect([id, code, await answer(one, { "If-Match": "*" })]).toEqual([id, code, met]);
        }
        const headers = { "If-Match": tag, "If-None-Match": '"other"', "Idempotency-Key": id };
        const done = await stage.send(operation, { ...shot, headers });
        expect([id, done.status < 300]).toEqual([id, true]);
        if (method !== "POST") continue;
        const again = await stage.send(operation, { ...shot, headers: { ...headers, "If-None-Match": "*" } });
        expect([again.body, again.headers.get("Idempotent-Replayed")]).toEqual([done.body, "true"]);
      }
    });

    test("every operation of staging accepts simulations, and no operation of another service does", async () => {
      for (const service of SERVICE_NAMES) {
        for (const operation of await stage.operations(service)) {
          expect([service, operation.id, takesSimulations(operation)]).toEqual([
            service,
            operation.id,
            service === "staging",
          ]);
          if (service === "staging") continue;
          const reply = await sendSimulated({ stage, operation, headers: {} }, "internal_error");
          const { code, message } = reply.json;
          expect([operation.id, reply.status, code, message]).toEqual([
            operation.id,
            400,
            "invalid_request",
            expect.stringContaining("staging only"),
          ]);
        }
      }
    });

    test("every recipe and every provocation belongs to a response that a document describes", async () => {
      const operations = (await Promise.all(SERVICE_NAMES.map(stage.operations))).flat();
      expect(Object.keys(RECIPES).sort()).toEqual([...new Set(operations.map(({ id }) => id))].sort());
      expect(operations.flatMap((operation) => untabled(operation) ?? [])).toEqual([]);
      const codes = operations.flatMap((operation) => answersOf(operation).map(({ code }) => code));
      expect(Object.keys(PROVOCATIONS).filter((code) => !codes.includes(code))).toEqual([]);
    });

    test("the headers for browsers and caches are in each document's description, and its default has those of its operations", async () => {
      for (const service of SERVICE_NAMES) {
        const description = await stage.description(service);
        const operations = await stage.operations(service);
        const isDeprecated = operations.some(({ sunset }) => sunset !== undefined);
        expect([service, description.includes("`Sunset`")]).toEqual([service, isDeprecated]);
        const sent = operations.flatMap((one) =>
          [403, 405, 415, 429].flatMap((status) => Object.keys(headersOf(one, status))),
        );
        const { headers = {} } = operations[0]?.responses["default"] ?? {};
        expect([service, Object.keys(headers).filter((name) => !sent.includes(name))]).toEqual([service, []]);
        expect(
          [...BROWSER_POLICY, ...CACHING].filter((name) => !description.includes(`\`${name}\``)),
        ).toEqual([]);
      }
    });
  },
  { always: true },
);

/**
 * Returns the operations to test. Staging has all operations of production and some others. In the quick run, only these others are
 * tested in staging.
 */
async function operationsToReplay(
  stage: Stage,
  service: Described["service"],
): Promise<readonly Described[]> {
  const operations = await stage.operations(service);
  if (!isQuickRun || service !== "staging") return operations;
  const known = new Set((await stage.operations("production")).map(({ id }) => id));
  return operations.filter(({ id }) => !known.has(id));
}

/** Returns the differences between an operation's responses and the OpenAPI document. */
async function replay(
  stage: Stage,
  operation: Described,
  successesOnly: boolean,
): Promise<readonly string[]> {
  const place = placeAt(stage, operation.service);
  const faults: string[] = [];
  const sent = new Set<string>();
  const answers = answersOf(operation).filter(({ code }) => !successesOnly || code === undefined);
  for (const expected of answers) {
    const replies = await provoke({ stage, operation, place }, expected);
    if (replies.length === 0)
      faults.push(`${operation.id} ${expected.status} ${expected.code ?? ""} has no recipe`);
    else if (!replies.some((reply) => isAsExample(operation, expected, reply)))
      faults.push(
        `${operation.id} ${expected.code} ${expected.mediaType} is not as its example: ${replies.at(-1)?.body}`,
      );
    if (
      expected.code === undefined &&
      operation.method === "POST" &&
      new Set(replies.map(({ body }) => body)).size > 1
    )
      faults.push(`${operation.id} is answered otherwise when it is sent again: ${replies.at(-1)?.body}`);
    const simulated = await simulate({ stage, operation, place }, expected);
    if (simulated !== undefined && expected.code !== undefined) {
      const fault = otherThanReal(expected.code, simulated, replies);
      if (fault !== undefined) faults.push(`${operation.id} ${expected.code} ${fault}`);
    }
    for (const reply of simulated === undefined ? replies : [...replies, simulated]) {
      const fault = undocumented(operation, reply) ?? otherThan(expected, reply);
      if (fault !== undefined) faults.push(`${operation.id} ${Object.values(expected).join(" ")}: ${fault}`);
      for (const name of declaredHeaders(reply))
        if (reply !== simulated || name === "petstore-simulated") sent.add(`${expected.status} ${name}`);
    }
  }
  const provoked = new Set(answers.map(({ status }) => status));
  const unsent = [...provoked].flatMap((status) =>
    Object.keys(headersOf(operation, Number(status)))
      .filter((name) => sent.has(`${status} ${name.toLowerCase()}`) === NEVER_SENT.has(`${status} ${name}`))
      .map(
        (name) => `${operation.id} ${status}: ${name} is declared, and NEVER_SENT or its answers are wrong`,
      ),
  );
  return [...faults, ...unsent];
}

function answersOf({ responses, errors }: Described): readonly Expected[] {
  const successes = Object.entries(responses).flatMap(([status, { content }]) => {
    if (!/^[23]/.test(status)) return [];
    const mediaTypes = content === undefined ? [null] : Object.keys(content);
    return mediaTypes.map((mediaType) => ({ status, code: undefined, mediaType }));
  });
  const refusals = [...errors, { code: "method_not_allowed", status: 405 }].flatMap(({ code, status }) =>
    ["application/json", "application/problem+json"].map((mediaType) => ({
      status: String(status),
      code,
      mediaType,
    })),
  );
  return [...successes, ...refusals];
}

interface Question {
  readonly stage: Stage;
  readonly operation: Described;
  readonly place: Place;
}

async function provoke(question: Question, expected: Expected): Promise<readonly Reply[]> {
  const { operation, place } = question;
  const { status, code } = expected;
  const recipe = RECIPES[operation.id];
  if (recipe === undefined) return [];
  const of = caseOf(question, expected, recipe);
  if (code === undefined) return (await SUCCESSES[status]?.(of)) ?? [];
  const refused = recipe.refusals?.[code];
  return refused === undefined
    ? ((await PROVOCATIONS[code]?.(of)) ?? [])
    : [await send(of, await refused(place))];
}

/** Causes an error with the header `Petstore-Simulate`, if the operation supports this header. */
async function simulate(question: Question, expected: Expected): Promise<Reply | undefined> {
  const { operation } = question;
  const recipe = RECIPES[operation.id];
  const isTabled = operation.errors.some(({ code }) => code === expected.code);
  if (expected.code === undefined || !isTabled || recipe === undefined) return undefined;
  if (!takesSimulations(operation)) return undefined;
  return sendSimulated(caseOf(question, expected, recipe), expected.code);
}

function caseOf({ stage, operation, place }: Question, { mediaType }: Expected, recipe: Recipe): Case {
  const isDefault = mediaType === null || mediaType === "application/json";
  const headers = isDefault ? {} : { Accept: mediaType };
  return { stage, operation, success: () => recipe.success(place), headers };
}

/** Returns true if a response equals the example in the table of errors, except for identifiers. */
function isAsExample({ errors }: Described, { status, code, mediaType }: Expected, { body }: Reply): boolean {
  if (code === undefined) return true;
  const row = errors.find((one) => one.code === code);
  // The table has no row for a method that the path does not have. The error message then names both the method and the path.
  if (row === undefined) return /"\w+ is not allowed on \/[^"]*"/.test(body);
  const error = { code, message: row.message, status: row.status };
  const problem = {
    ...{ type: `http://localhost:8080/docs/errors#${code}`, title: STATUS_CODES[status] },
    ...{ status: row.status, detail: row.message, code },
    ...(row.problems && { errors: row.problems }),
  };
  const example = JSON.stringify(mediaType === "application/json" ? error : problem);
  return Bun.deepEquals(JSON.parse(withoutNumbers(body)), JSON.parse(withoutNumbers(example)));
}

function otherThan(expected: Expected, { status, headers, body }: Reply): string | undefined {
  const code = status < 400 ? undefined : JSON.parse(body).code;
  const found: Expected = { status: String(status), code, mediaType: headers.get("Content-Type") };
  return Bun.deepEquals(found, expected) ? undefined : `the answer is ${status} ${body}`;
}
