import { withQuery } from "./address.ts";
import { type FollowOptions, followEvents } from "./follow.ts";
import { type List, listAt } from "./list.ts";
import type { CallOptions } from "./options.ts";
import type { Settings } from "./settings.ts";
import type { Event, EventFilter, Paging } from "./types.ts";

/** Operations on the log of changes, which records who made each change and when. Beta. */
export interface Events {
  /**
   * `listEvents`: lists the events that match the filter, newest first unless `order` is `asc`. With `order: "asc"`, the list
   * ends after the newest event.
   */
  list(filter?: EventFilter & Paging, call?: CallOptions): List<Event>;
  /**
   * `listEvents` as a stream: yields every event that follows the event `after`, exactly once and as soon as it happens, even if
   * the connection breaks or the service restarts. Every new `for await` begins at `after` again. The loop continues until you
   * leave it, the signal aborts, or the service refuses the stream. The service refuses with `cursor_expired` if it has already
   * deleted the next events, and with `unauthorized` if the key is not valid.
   */
  follow(options?: FollowOptions): AsyncIterable<Event>;
}

export function eventMethods(settings: Settings): Events {
  const collection = `${settings.storeUrl}/events`;
  return {
    list({ types, ...filter } = {}, call) {
      const address = () =>
        types?.length === 0 ? undefined : withQuery(collection, { ...filter, type: types });
      return listAt(settings, address, call, { growsAtEnd: filter.order === "asc" });
    },
    follow: (options = {}) => ({ [Symbol.asyncIterator]: () => followEvents(settings, options) }),
  };
}
