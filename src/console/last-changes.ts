import { newestEvents } from "../events/list-events.ts";
import { endpoint } from "../http/endpoint.ts";
import type { Database } from "../storage/database.ts";
import { consoleOperations } from "./contract.ts";
import { namePersons } from "./person-names.ts";

export function lastChangesEndpoint(accounts: Pick<Database, "read">) {
  return endpoint(consoleOperations.listLastChanges, async (ctx, { id: ids = [] }) => {
    const events = await namePersons(accounts, await newestEvents(ctx, ids, ["pet.created", "pet.updated"]));
    return events.map(({ data, createdAt, actor }) => ({ petId: data.id, createdAt, actor }));
  });
}
