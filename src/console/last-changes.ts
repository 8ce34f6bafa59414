import { newestEvents } from "../events/list-events.ts";
import { endpoint } from "../http/endpoint.ts";
import type { Database } from "../storage/database.ts";
import { consoleOperations } from "./contract.ts";
import { namePersons } from "./person-names.ts";

const TYPES = { pet: ["pet.created", "pet.updated"], order: ["order.placed"] } as const;

export function lastChangesEndpoint(accounts: Pick<Database, "read">) {
  return endpoint(consoleOperations.listLastChanges, async (ctx, { of = "pet", id: ids = [] }) => {
    const events = await namePersons(accounts, await newestEvents(ctx, ids, TYPES[of]));
    return events.map(({ data: { id, petId = id }, createdAt, actor }) => ({ petId, id, createdAt, actor }));
  });
}
