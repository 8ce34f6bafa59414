import type { Int64 } from "exact-json/int64";
import { role } from "../accounts/contract.ts";
import { eventsEndpoint } from "../api/endpoints.ts";
import { type Input, type Page, ROLES } from "../contract/operation.ts";
import { enumParameter, int64Parameter } from "../contract/parameter.ts";
import { filterOf } from "../event-kinds/event-kinds.ts";
import type { LoggedEvent } from "../events/event.ts";
import type { EventFeed } from "../events/feed.ts";
import { createEndpoint, type Endpoint } from "../http/endpoint.ts";
import type { Database } from "../storage/database.ts";
import { namePersons } from "./person-names.ts";

/** Query parameters that exist only in the console's event stream, not in the public API. */
const FOLLOWED = {
  after: int64Parameter({
    description:
      "The stream begins after this event. A browser uses this parameter in its first request, because it cannot send the header `Last-Event-ID` there.",
    example: 1,
  }),
  role: enumParameter(ROLES, {
    description:
      "The account's role when the page was loaded. The stream ends if the account gets another role.",
    schema: role,
  }),
};

/**
 * Creates the console's endpoint for the event stream. If a person caused an event, the actor's `name` is the person's email
 * address. Heartbeats are sent as events, so that the script of a page receives them.
 */
export function consoleEvents(feed: EventFeed, accounts: Pick<Database, "read">): Endpoint {
  const channel = feed.createChannel({
    present: (events) => namePersons(accounts, events),
    heartbeat: "event",
  });
  const { operation, ...listed } = eventsEndpoint(channel);
  const { query, success } = operation;
  const stream = { ...success.stream, query: [...success.stream.query, ...Object.keys(FOLLOWED)] };
  const followed = { ...operation, query: { ...query, ...FOLLOWED }, success: { ...success, stream } };
  return createEndpoint(followed, {
    async run(ctx, input) {
      const page = (await listed.run(ctx, input)) as Page<LoggedEvent>;
      return { ...page, items: await namePersons(accounts, page.items) };
    },
    follow(input, lastEventId) {
      const { after, ...filter } = input as Input<typeof operation> & { readonly after?: Int64 };
      return channel.follow(filterOf(filter), lastEventId ?? (after === undefined ? after : BigInt(after)));
    },
  });
}
