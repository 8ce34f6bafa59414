import { asOperator } from "../../src/accounts/accounts.ts";
import { BODY_BYTES_DEFAULT } from "../../src/config/settings.ts";
import type { Environment } from "../../src/context.ts";
import { BODY_DEADLINE_MS } from "../../src/http/body.ts";
import { REQUESTS_IN_FLIGHT_MAX } from "../../src/http/concurrency-limit.ts";
import { revokeKey } from "../../src/keys/verbs.ts";
import { until, whileCached } from "../until.ts";
import { followEvents } from "../wire/event-source.ts";
import { type Reply, replyOf, sendLines } from "../wire/send.ts";
import type { Described } from "./document.ts";
import type { Shot, Stage } from "./stage.ts";

/** A test case: an operation of the API, a valid request for it, and the headers of every request in the test case. */
export interface Case {
  readonly stage: Stage;
  readonly operation: Described;
  /** Creates the resources that the operation needs, and returns a valid request for it. */
  readonly success: () => Promise<Shot>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends requests that cause one error. Returns several responses if the headers of the error can differ. */
type Provocation = (of: Case) => Promise<readonly Reply[]>;

/** Functions that cause the errors that several operations share, keyed by error code. */
export const PROVOCATIONS: Readonly<Record<string, Provocation>> = {
  invalid_request: unusableHost,
  invalid_parameter: changed((shot) => ({ ...shot, target: `${shot.target.split("?")[0]}?limit=0` })),
  content_type_missing: changed((shot) => withHeader(shot, "Content-Type", "none")),
  invalid_json: changed((shot) => ({ ...shot, body: "{" })),
  invalid_body: changed((shot) => ({ ...shot, body: "[]" })),
  unauthorized: async (of) => [
    ...(await changed((shot) => ({ ...shot, isAnonymous: true }))(of)),
    ...(await changed((shot) => ({ ...shot, key: "made-up" }))(of)),
  ],
  forbidden: (of) => changed((shot) => ({ ...shot, key: of.stage.keys[of.operation.service].read }))(of),
  method_not_allowed: otherMethod,
  request_timeout: slowBody,
  idempotency_in_progress: twoAtOnce,
  precondition_failed: async (of) => [
    ...(await changed((shot) => withHeader(shot, "If-Match", '"other"'))(of)),
    ...(await changed((shot) => withHeader(shot, "If-None-Match", "*"))(of)),
  ],
  payload_too_large: changed((shot) => ({ ...shot, body: " ".repeat(BODY_BYTES_DEFAULT + 1) })),
  unsupported_media_type: async (of) => [
    ...(await changed((shot) => withHeader(shot, "Content-Type", "text/plain"))(of)),
    ...(await changed((shot) => withHeader(shot, "Content-Encoding", "gzip"))(of)),
  ],
  idempotency_key_reused: otherBody,
  rate_limited: (of) => changed((shot) => ({ ...shot, key: of.stage.keys[of.operation.service].spent }))(of),
  gone: afterSunset,
  internal_error: noTables,
  unavailable: noSlot,
};

/**
 * Functions that cause successful responses and the 304, keyed by status. Each POST is also repeated with its idempotency key. The
 * 304 needs a request with the ETag of an earlier response.
 */
export const SUCCESSES: Readonly<Record<string, Provocation>> = {
  200: succeed,
  201: succeed,
  202: succeed,
  204: succeed,
  304: unchanged,
};

function withHeader(shot: Shot, name: string, value: string): Shot {
  return { ...shot, headers: { ...shot.headers, [name]: value } };
}

function changed(change: (shot: Shot) => Shot): Provocation {
  return async (of) => [await send(of, change(await of.success()))];
}

export function send({ stage, operation, headers }: Omit<Case, "success">, shot: Shot): Promise<Reply> {
  return stage.send(operation, { ...shot, headers: { ...headers, ...shot.headers } });
}

function begin({ stage, operation, headers }: Case, shot: Shot): Promise<Reply> {
  return stage.begin(operation, { ...shot, headers: { ...headers, ...shot.headers } });
}

let idempotencyKeys = 0;
function withIdempotencyKey(shot: Shot): Shot {
  return withHeader(shot, "Idempotency-Key", `replay-${++idempotencyKeys}`);
}

async function succeed(of: Case): Promise<readonly Reply[]> {
  if (of.headers["Accept"] === "text/event-stream") return [await firstOfStream(of)];
  if (of.operation.method !== "POST") return [await send(of, await of.success())];
  const shot = withIdempotencyKey(await of.success());
  return [await send(of, shot), await send(of, shot)];
}

/** Opens an event stream. Returns its status, its headers, and its first event as the body. */
async function firstOfStream({ stage, operation, success }: Case): Promise<Reply> {
  const { service, path } = operation;
  await success();
  const stream = await followEvents(stage.addressOf[service] + path, {
    key: stage.keys[service].write,
    lastEventId: "0",
  });
  const event = await stream.next();
  stream.close();
  return replyOf(stream.status, stream.headers, event?.event ?? "");
}

async function unchanged(of: Case): Promise<readonly Reply[]> {
  const shot = await of.success();
  const tag = (await send(of, shot)).headers.get("ETag") ?? "";
  return [await send(of, withHeader(shot, "If-None-Match", tag))];
}

async function unusableHost({ stage, operation, success, headers }: Case): Promise<readonly Reply[]> {
  const { service, method } = operation;
  const address = stage.addressOf[service];
  const { target } = await success();
  const requestLine = `${method} ${new URL(address + target).pathname}`;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const key = `Authorization: Bearer ${stage.keys[service].write}`;
  return [await sendLines(address, requestLine, ["Host: a b", key, ...lines])];
}

async function otherMethod(of: Case): Promise<readonly Reply[]> {
  const method = of.operation.path === "/test/clock" ? "PATCH" : "PUT";
  return [await send({ ...of, operation: { ...of.operation, method } }, await of.success())];
}

/** Sends a request whose body never arrives, and advances the clock past the deadline. */
async function slowBody({ stage, operation, success, headers }: Case): Promise<readonly Reply[]> {
  const { service, method } = operation;
  const address = stage.addressOf[service];
  const { target } = await success();
  const lines = Object.entries({ "Content-Type": "application/json", ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const key = `Authorization: Bearer ${stage.keys[service].write}`;
  const requestLine = `${method} ${new URL(address + target).pathname}`;
  let isOver = false;
  const replying = sendLines(address, requestLine, ["Host: a", key, "Content-Length: 9", ...lines]);
  replying.finally(() => {
    isOver = true;
  });
  const { clock } = stage.app;
  while (!isOver) {
    // The clock must not advance before the service waits for the body. Otherwise, on a busy machine, days could pass on this clock,
    // and the key `spent` could send requests again.
    await until(() => isOver || clock.isAwaited(BODY_DEADLINE_MS));
    await clock.advance(BODY_DEADLINE_MS);
  }
  return [await replying];
}

/**
 * Sends the same request three times with one idempotency key. The second arrives while the first is still running. Both continue
 * when the third arrives (`afterParsing`).
 */
async function twoAtOnce(of: Case): Promise<readonly Reply[]> {
  const shot = withIdempotencyKey(await of.success());
  const replies = await Promise.all([begin(of, shot), begin(of, shot), begin(of, shot)]);
  return replies.filter(({ status }) => status === 409);
}

async function otherBody(of: Case): Promise<readonly Reply[]> {
  const shot = withIdempotencyKey(await of.success());
  await send(of, shot);
  const other = { ...JSON.parse(shot.body ?? "{}"), another: true };
  return [await send(of, { ...shot, body: JSON.stringify(other) })];
}

async function afterSunset(of: Case): Promise<readonly Reply[]> {
  const shot = await of.success();
  const { clock } = of.stage.app;
  const years = Date.parse(of.operation.sunset ?? "") - clock.now();
  clock.set(years);
  try {
    return [await send(of, shot)];
  } finally {
    clock.set(-years);
  }
}

async function noTables(of: Case): Promise<readonly Reply[]> {
  const shot = await of.success();
  const { stage, operation } = of;
  // `getKey` only reads what authentication needs, so the test makes it fail with a broken API key.
  if (operation.id === "getKey")
    return [await send(of, { ...shot, key: await stage.makeTimelessKey(operation.service as Environment) })];
  return stage.withoutTables(operation.service, async () => [await send(of, shot)]);
}

/** Occupies all request slots of the service, with requests whose bodies never arrive. */
async function noSlot(of: Case): Promise<readonly Reply[]> {
  const shot = await of.success();
  const { app } = of.stage;
  // One API key can use at most half of the request slots, so two keys are needed.
  const keys = [await app.makeKey(), await app.makeKey()];
  const tokens = keys.map(({ token }) => token);
  const reply = await whileCached(app, [...tokens, of.stage.keys[of.operation.service].write], async () => {
    const others = Array.from({ length: REQUESTS_IN_FLIGHT_MAX }, (_, index) =>
      app.send("production", "POST /v1/pets", { key: tokens[index % 2] ?? "", body: "{" }),
    );
    const refused = await begin(of, shot);
    await Promise.all(others);
    return refused;
  });
  for (const { id: keyId } of keys) await asOperator(app.accounts, (ctx) => revokeKey(ctx, { keyId }));
  return [reply];
}
