import type { Environment } from "../context.ts";
import { type EventFeed, openEventFeed } from "../events/feed.ts";
import { startNumbering } from "../events/number-events.ts";
import type { Database } from "../storage/database.ts";
import type { DatabaseDeps } from "./open-database.ts";

const EVENTS_POLL_MS = 1_000; // between looks for new events while streams are open, if nothing announces them

/** What looks after the events of an environment while it is served. */
export async function startEventLog(
  database: Database,
  environment: Environment,
  { log, resources }: DatabaseDeps,
): Promise<void> {
  const numbering = await startNumbering(database, environment, (err) =>
    log.error({ err, environment }, "events did not get their numbers; that is tried again"),
  );
  resources.defer(numbering.close);
}

/** What is new in an environment's log. */
export async function openFeed(
  database: Database,
  environment: Environment,
  { log, maintenance, resources }: DatabaseDeps,
): Promise<EventFeed> {
  const onError = (err: unknown) =>
    log.error({ err, environment }, "new events were not read; that is tried again");
  const feed = await openEventFeed({ database, environment, onError });
  maintenance.add({ name: `new events of ${environment}`, everyMs: EVENTS_POLL_MS, run: feed.readOn });
  resources.defer(feed.close);
  return feed;
}
