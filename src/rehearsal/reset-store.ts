import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { randomBase62 } from "../platform/random.ts";
import type { Emptied, Maintenance } from "../storage/database.ts";
import type { Reset, rehearsalOperations } from "./contract.ts";
import { FIXTURES } from "./fixtures.ts";
import { insertRows, setStore } from "./store.ts";

/** Numbers of events and deliveries go on: who is sent them tells by `webhook-id` what it has seen. */
const EMPTIED: Emptied = {
  restarting: ["pet", "category", "store_order"],
  continuing: ["delivery_attempt", "delivery", "event_queue", "idempotency_record", "simulation"],
  log: "event",
};

export type Emptying = Pick<Maintenance, "empty">;

const STORE_ID_LENGTH = 11;

/** Empties staging, and adds a fixture, in the transaction of `ctx`. */
export async function resetStore(
  { query, randomBytes }: Context,
  { body: { fixture } }: Input<typeof rehearsalOperations.resetStore>,
  { empty }: Emptying,
): Promise<Reset> {
  const storeId = randomBase62(randomBytes, STORE_ID_LENGTH);
  const lastEventId = await empty(query, EMPTIED, storeId);
  const { categories, pets, orders } = FIXTURES[fixture]();
  await insertRows(query, "category", ["name", "description"], categories);
  await insertRows(query, "pet", ["name", "category_id", "status"], pets);
  await insertRows(query, "store_order", ["pet_id", "quantity", "ship_date", "complete"], orders);
  await query(setStore, [storeId, lastEventId]);
  return { fixture, pets: pets.length, categories: categories.length, orders: orders.length };
}
