import { afterAll, beforeAll, expect, test } from "bun:test";
import { randomUUIDv7 } from "bun";
import { createCategory, updateCategory } from "../../src/categories/verbs.ts";
import type { Context } from "../../src/context.ts";
import { insert } from "../../src/events/change.ts";
import { type Idempotency, openIdempotency } from "../../src/http/idempotency/idempotency.ts";
import { cancelOrder, completeOrder, placeOrder } from "../../src/orders/verbs.ts";
import { addPet } from "../../src/pets/store.ts";
import { deletePet, updatePet } from "../../src/pets/verbs.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { systemRandomBytes } from "../../src/platform/random.ts";
import type { Database } from "../../src/storage/database.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { until } from "../until.ts";
import { freshDatabaseUrl } from "./database.ts";
import { type Relay, startRelay } from "./relay.ts";

// The service sends at once all statements of a change that do not depend on an earlier response. The tests hold back PostgreSQL's
// responses, so every statement that arrives was sent without waiting for one.

let relay: Relay;
let database: Database;
let idempotency: Idempotency;
beforeAll(async () => {
  relay = startRelay(await freshDatabaseUrl());
  database = await openDatabase("production", { dataDir: "", databaseUrl: relay.url });
  idempotency = await openIdempotency(database, systemClock);
});
afterAll(async () => {
  await database.close();
  relay.stop();
});

const own = { now: Date.now(), actor: { kind: "operator" }, randomBytes: systemRandomBytes } as const;
function write<Result>(work: (ctx: Context) => Promise<Result>, isCompared?: true): Promise<Result> {
  const compared = isCompared && ({ isAtomic: true, readsFirst: true } as const);
  return database.write((query) => work({ query, ...own }), compared);
}
/** Makes a change with a new idempotency key, as the service does for a request with a body. */
function writeWithKey(work: (ctx: Context) => Promise<unknown>): Promise<unknown> {
  const name = { accountId: 1, environment: "production", path: "/v1/store/orders", key: randomUUIDv7() };
  return idempotency.run({ ...name, json: {} }, async (query) => {
    await work({ query, ...own });
    return { status: 201, headers: {}, body: "{}" };
  });
}
const addAnimal = async () =>
  Number((await write((ctx) => insert(ctx, addPet, { name: "x", categoryId: 1, status: "available" }))).id);
const order = async (petId: number) =>
  Number((await write((ctx) => placeOrder(ctx, { body: { petId } }))).id);
const addCategory = async () =>
  Number((await write((ctx) => createCategory(ctx, { body: { name: "x" } }))).id);
const patch = { name: "y", status: "sold" } as const;

/** A change to a resource, and a function that creates the resource before the change. */
interface Case {
  readonly make: () => Promise<number>;
  readonly change: (ctx: Context, id: number) => Promise<unknown>;
  /** True if the service makes the change without a transaction. */
  readonly isCompared?: true;
  readonly hasKey?: true;
  /** The expected round trips in order, each as the first words of its statements. */
  readonly trips: readonly string[];
}

const CASES: Readonly<Record<string, Case>> = {
  "a patch of an animal": {
    make: addAnimal,
    change: (ctx, petId) => updatePet(ctx, { petId, body: patch }),
    isCompared: true,
    trips: ["SELECT", "WITH"],
  },
  "a patch with a precondition": {
    make: addAnimal,
    change: (ctx, petId) => updatePet({ ...ctx, requireCurrent: () => {} }, { petId, body: patch }),
    isCompared: true,
    trips: ["SELECT", "WITH"],
  },
  "a patch that sets an externalId": {
    make: addAnimal,
    change: (ctx, petId) => updatePet(ctx, { petId, body: { externalId: `A-${petId}` } }),
    isCompared: true,
    trips: ["SELECT", "BEGIN SELECT", "WITH", "COMMIT"],
  },
  "a patch of a category": {
    make: addCategory,
    change: (ctx, categoryId) => updateCategory(ctx, { categoryId, body: { name: "y" } }),
    isCompared: true,
    trips: ["SELECT", "WITH"],
  },
  "a removal": {
    make: addAnimal,
    change: (ctx, petId) => deletePet(ctx, { petId }),
    trips: ["BEGIN DELETE", "INSERT COMMIT"],
  },
  "an order": {
    make: addAnimal,
    change: (ctx, petId) => placeOrder(ctx, { body: { petId } }),
    isCompared: true,
    trips: ["SELECT", "WITH"],
  },
  "an order with a key": {
    make: addAnimal,
    change: (ctx, petId) => placeOrder(ctx, { body: { petId } }),
    hasKey: true,
    trips: ["BEGIN SELECT", "SELECT", "WITH", "INSERT COMMIT"],
  },
  "an order in a transaction": {
    make: addAnimal,
    change: (ctx, petId) => placeOrder(ctx, { body: { petId } }),
    trips: ["BEGIN SELECT", "WITH", "COMMIT"],
  },
  "a completed order": {
    make: async () => order(await addAnimal()),
    change: (ctx, orderId) => completeOrder(ctx, { orderId }),
    trips: ["BEGIN UPDATE", "INSERT UPDATE", "INSERT COMMIT"],
  },
  "a cancelled order": {
    make: async () => order(await addAnimal()),
    change: (ctx, orderId) => cancelOrder(ctx, { orderId }),
    trips: ["BEGIN DELETE", "INSERT UPDATE", "INSERT COMMIT"],
  },
};

/** Matches the statements of a change, but not those of notifications or of new connections. */
const OWN = /^(BEGIN|SELECT (id|fingerprint)|UPDATE|DELETE|INSERT|WITH|COMMIT)/;

test.each(Object.entries(CASES))("%s", async (_name, { make, change, isCompared, hasKey, trips }) => {
  const makeChange = (id: number) =>
    hasKey ? writeWithKey((ctx) => change(ctx, id)) : write((ctx) => change(ctx, id), isCompared);
  // Runs each statement once beforehand, because its first run takes an extra round trip, in which PostgreSQL prepares it.
  const prepared = await make();
  await makeChange(prepared);
  const id = await make();
  const before = relay.statements.length;
  const sent = () => relay.statements.slice(before).filter((sql) => OWN.test(sql));
  let hold = relay.hold(OWN);
  const changing = makeChange(id);
  let count = 0;
  for (const trip of trips) {
    const first = count;
    count += trip.split(" ").length;
    await until(() => sent().length >= count && !relay.isBusy());
    const words = sent()
      .slice(first)
      .map((sql) => sql.split(" ", 1)[0]);
    expect(words.join(" ")).toBe(trip);
    const next = relay.hold(OWN);
    hold.release();
    hold = next;
  }
  hold.release();
  await changing;
});
