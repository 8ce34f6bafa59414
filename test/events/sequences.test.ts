import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import type { Flags } from "../../src/config.ts";
import { parseJson, writeJson } from "../../src/contract/json/json.ts";
import { createTestApp, onEachEngine, type TestApp } from "../test-app.ts";
import { flawsOf, readEmbeddedLog, readPostgresLog } from "./log.ts";

// After any requests, the events are those of the changes, and folding them gives the tables.

const NAMES = ["Rex", 'é "🐈" \\', ""] as const;
const AVAILABLE = { name: "x", categoryId: 1, status: "available" };
const patch = fc.record(
  {
    name: fc.constantFrom(...NAMES),
    categoryId: fc.constantFrom(1, 2n ** 63n - 1n),
    status: fc.constantFrom("available", "pending", "sold", null),
  },
  { requiredKeys: [] },
);
const categoryPatch = fc.record(
  { name: fc.constantFrom(...NAMES), description: fc.constantFrom("", "x", null) },
  { requiredKeys: [] },
);
const target = fc.constantFrom(0, 0, 0, 1, 2);
const ACTIONS = [
  "placeOrder",
  "placeOrder",
  "completeOrder",
  "cancelOrder",
  "deletePet",
  "deleteCategory",
] as const;
/** One request; `target` counts back from the newest resource. */
const step = fc.oneof(
  fc.record({ do: fc.constantFrom("createPet", "updatePet"), body: patch, target }),
  fc.record({ do: fc.constantFrom("createCategory", "updateCategory"), body: categoryPatch, target }),
  fc.record({ do: fc.constantFrom(...ACTIONS), body: fc.constant({}), target }),
  fc.record({ do: fc.constantFrom(...ACTIONS), body: fc.constant({}), target }),
);
const steps = fc.array(fc.tuple(step, fc.boolean()), { minLength: 10, maxLength: 30 });
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

type Members = Readonly<Record<string, unknown>>;

onEachEngine((settings) => {
  let app: TestApp;
  let flags: Flags & { readonly dataDir: string };
  let key: { id: string; token: string };
  let requests = 0;
  /** Expected event types by request identifier. */
  const due = new Map<string, readonly string[]>();

  beforeAll(async () => {
    flags = { ...(await settings()), dataDir: mkdtempSync(join(tmpdir(), "petstore-")) };
    app = await createTestApp({}, flags);
    key = await app.makeKey();
  });
  afterAll(async () => {
    await app.close();
    rmSync(flags.dataDir, { recursive: true });
  });

  async function call(request: string, body: object | undefined, idempotencyKey?: string) {
    const requestId = `request-${++requests}`;
    const headers: Record<string, string> = { "X-Request-Id": requestId };
    if (idempotencyKey !== undefined) headers["Idempotency-Key"] = idempotencyKey;
    const reply = await app.send("production", request, {
      key: key.token,
      headers,
      ...(body && { body: writeJson(body) }),
    });
    const text = await reply.text();
    const answer: Members = text === "" ? {} : Object(parseJson(text));
    return { requestId, answer, isDone: reply.ok, isReplayed: reply.headers.has("Idempotent-Replayed") };
  }
  const get = async (path: string): Promise<Members> =>
    Object(parseJson(await (await app.send("production", `GET ${path}`, { key: key.token })).text()));

  const made = { pets: [] as unknown[], categories: [] as unknown[], orders: [] as unknown[] };
  /** Sends a request, a keyed one twice; records the events expected of it. */
  async function change(
    request: string,
    body: object | undefined,
    types: (answer: Members) => readonly string[],
    isKeyed: boolean,
  ): Promise<unknown> {
    const idempotencyKey = isKeyed && request.startsWith("POST") ? `key-${requests}` : undefined;
    const { requestId, answer, isDone } = await call(request, body, idempotencyKey);
    if (isDone) due.set(requestId, types(answer));
    if (idempotencyKey !== undefined && isDone)
      expect((await call(request, body, idempotencyKey)).isReplayed).toBe(true);
    return isDone ? answer["id"] : undefined;
  }

  async function take({ do: action, body, target }: Step, isKeyed: boolean): Promise<void> {
    const at = (ids: readonly unknown[]) => ids.at(-1 - target) ?? 1;
    const [pet, category, order] = [at(made.pets), at(made.categories), at(made.orders)];
    const add = (ids: unknown[], id: unknown) => id !== undefined && ids.push(id);
    const send = (request: string, types: string[], sent?: object) =>
      change(request, sent, () => types, isKeyed);
    async function update(path: string, type: string): Promise<void> {
      const before = await get(path);
      await change(`PATCH ${path}`, body, (after) => (Bun.deepEquals(before, after) ? [] : [type]), isKeyed);
    }
    if (action === "createPet")
      add(made.pets, await send("POST /v1/pets", ["pet.created"], { ...AVAILABLE, ...body }));
    else if (action === "createCategory")
      add(made.categories, await send("POST /v1/categories", ["category.created"], { name: "x", ...body }));
    else if (action === "updatePet") await update(`/v1/pets/${pet}`, "pet.updated");
    else if (action === "updateCategory") await update(`/v1/categories/${category}`, "category.updated");
    else if (action === "deletePet") await send(`DELETE /v1/pets/${pet}`, ["pet.deleted"]);
    else if (action === "deleteCategory")
      await send(`DELETE /v1/categories/${category}`, ["category.deleted"]);
    else if (action === "placeOrder")
      add(made.orders, await send("POST /v1/store/orders", ["order.placed", "pet.updated"], { petId: pet }));
    else if (action === "completeOrder")
      await send(`POST /v1/store/orders/${order}/complete`, ["order.completed", "pet.updated"]);
    else await send(`DELETE /v1/store/orders/${order}`, ["order.cancelled", "pet.updated"]);
  }

  const read = () =>
    flags.databaseUrl === undefined ? readEmbeddedLog(flags.dataDir) : readPostgresLog(flags.databaseUrl);

  test("after any sequence of requests, each changed resource has its event, and folding them gives the tables", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        for (const [one, isKeyed] of sequence) await take(one, isKeyed);
        const log = await read();
        expect([...flawsOf(log)]).toEqual([]);
        const told = Map.groupBy(log.events, ({ requestId }) => requestId);
        expect(log.events.every(({ actor }) => Bun.deepEquals(actor, ["key", key.id, "test"]))).toBe(true);
        for (const [requestId, types] of due)
          expect((told.get(requestId) ?? []).map(({ type }) => type)).toEqual([...types]);
        for (const requestId of told.keys()) expect(due.has(requestId)).toBe(true);
      }),
      { numRuns: 15 },
    );
  });
});
