import { withQuery } from "./address.ts";
import { type List, listAt } from "./list.ts";
import type { CallOptions } from "./options.ts";
import type { Settings } from "./settings.ts";
import type { Event, EventFilter, Paging } from "./types.ts";

/** What was changed, by whom, and when. Beta. */
export interface Events {
  /** `listEvents`: the events that meet the filter, newest first unless `order` is `asc`. The iteration ends at the last event. */
  list(filter?: EventFilter & Paging, call?: CallOptions): List<Event>;
}

export function eventMethods(settings: Settings): Events {
  return {
    list({ types, ...filter } = {}, call) {
      const address = () =>
        types?.length === 0
          ? undefined
          : withQuery(`${settings.storeUrl}/events`, { ...filter, type: types });
      const { pages } = listAt<Event>(settings, address, call);
      return {
        pages: () => untilEmpty(pages()),
        async *[Symbol.asyncIterator]() {
          for await (const page of untilEmpty(pages())) yield* page;
        },
      };
    },
  };
}

/** From the oldest event on, the last page leads to an empty one, and that to what comes next. */
async function* untilEmpty<Item>(pages: AsyncIterable<readonly Item[]>): AsyncGenerator<readonly Item[]> {
  for await (const page of pages) {
    if (page.length === 0) return;
    yield page;
  }
}
