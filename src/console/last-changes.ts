import { listEvents } from "../events/list-events.ts";
import { endpoint } from "../http/endpoint.ts";
import type { Database } from "../storage/database.ts";
import { consoleOperations } from "./contract.ts";
import { namePersons } from "./person-names.ts";

const NEWEST = {
  type: ["pet.created", "pet.updated"],
  order: "desc",
  limit: 1,
  cursor: undefined,
} as const;

export function lastChangesEndpoint(accounts: Pick<Database, "read">) {
  return endpoint(consoleOperations.listLastChanges, async (ctx, { id: ids = [] }) => {
    const pages = await Promise.all(ids.map((petId) => listEvents(ctx, { ...NEWEST, petId })));
    const events = await namePersons(
      accounts,
      pages.flatMap(({ items }) => items),
    );
    return events.map(({ data, createdAt, actor }) => ({ petId: data.id, createdAt, actor }));
  });
}
