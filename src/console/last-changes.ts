import { z } from "zod";
import type { Operation } from "../contract/operation.ts";
import { int64ListParameter } from "../contract/parameter.ts";
import type { LoggedEvent } from "../events/event.ts";
import { listEvents } from "../events/list-events.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { ID_FILTER_MAX } from "../limits.ts";
import type { Database } from "../storage/database.ts";
import { namePersons } from "./person-names.ts";

/** When, and by whom, an animal was added or last changed, as far as events are kept. */
interface LastChange extends Pick<LoggedEvent, "createdAt" | "actor"> {
  readonly petId: LoggedEvent["id"];
}

export const listLastChanges = {
  id: "listLastChanges",
  method: "GET",
  path: "/last-changes",
  access: "read",
  query: {
    id: int64ListParameter({
      description: "The animals' identifiers.",
      maximum: ID_FILTER_MAX,
      example: [1, 2],
    }),
  },
  success: { status: 200, schema: z.custom<readonly LastChange[]>() },
} as const satisfies Operation;

const NEWEST = {
  type: ["pet.created", "pet.updated"],
  order: "desc",
  limit: 1,
  cursor: undefined,
} as const;

export function lastChangesEndpoint(accounts: Pick<Database, "read">): Endpoint {
  return endpoint(listLastChanges, async (ctx, { id: ids = [] }) => {
    const pages = await Promise.all(ids.map((petId) => listEvents(ctx, { ...NEWEST, petId })));
    const events = await namePersons(
      accounts,
      pages.flatMap(({ items }) => items),
    );
    return events.map(({ data, createdAt, actor }) => ({ petId: data.id, createdAt, actor }));
  });
}
