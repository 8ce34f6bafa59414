import { SQL } from "bun";
import { type LoggedEvent, readPostgresLog } from "../../events/log.ts";
import { until } from "../../until.ts";
import { createReceiver, eventOf } from "../../webhooks/receiver.ts";
import { type EventSource, followEvents } from "../../wire/event-source.ts";
import { send } from "../../wire/send.ts";
import type { Server } from "../../wire/server.ts";

// Reads the event log in two ways: through an event stream of each process, and through a webhook.

/** Differences between the event log and the events that readers have received. */
export interface Deliveries {
  eventsMissed: number;
  /**
   * The number of wrong events in the event streams: events that a stream sent twice or out of order, and events that are not in
   * the log.
   */
  eventsDoubled: number;
  webhooksMissed: number;
  /**
   * The number of webhook deliveries in the wrong order: those that first arrived after a later delivery about the same animal or
   * category. Deliveries of events that are not in the log count as well.
   */
  webhooksOutOfOrder: number;
}

/**
 * Waits until all webhook deliveries have been made and every stream has reached the end of the event log. Then compares what was
 * received with the log.
 */
export type Compare = (url: string) => Promise<Deliveries>;

/** A reader closes its event stream after this many events, and opens a new one at the same position. */
const STREAM_EVENTS = 100;
const PAUSE_MS = 50;

/** Starts to read the event log, which must still be empty. */
export async function startWatch(
  servers: readonly Server[],
  key: string,
  prefix: string,
  stack: AsyncDisposableStack,
): Promise<Compare> {
  const streams = servers.map((server) => {
    const ids: number[] = [];
    void follow(server, key, ids, stack);
    return ids;
  });
  const receiver = createReceiver(() => 204);
  stack.defer(receiver.stop);
  const body = JSON.stringify({ url: receiver.url });
  const { status } = await send("POST", `${servers[0]?.production}/webhooks`, { key, body });
  if (status !== 201) throw new Error(`The webhook was answered ${status}.`);
  return async (url) => {
    await untilDelivered(url, `${prefix}production`);
    const { events } = await readPostgresLog(url, prefix);
    const last = Number(events.at(-1)?.id);
    // If an event stream does not reach the end of the log, it has missed events.
    await until(() => streams.every((ids) => (ids.at(-1) ?? 0) >= last)).catch(() => {});
    return compareWithLog(events, streams, receiver.received.map(eventOf));
  };
}

/**
 * Collects the identifiers of all events that a process sends, from the beginning of the log. Reconnects if the connection ends, as
 * a browser does.
 */
async function follow({ production }: Server, key: string, ids: number[], stack: AsyncDisposableStack) {
  let lastEventId = "0";
  while (!stack.disposed) {
    const opening = followEvents(`${production}/events`, { key, lastEventId });
    const stream: EventSource | undefined = await opening.catch(() => undefined);
    for (let count = 0; count < STREAM_EVENTS; count++) {
      const event = await stream?.next().catch(() => undefined);
      if (event === undefined) break;
      ids.push(event.data.id);
    }
    lastEventId = stream?.lastEventId() ?? lastEventId;
    stream?.close();
    await Bun.sleep(PAUSE_MS);
  }
}

async function untilDelivered(url: string, schema: string): Promise<void> {
  await using sql = new SQL(url, { max: 1 });
  await until(async () => {
    await Bun.sleep(PAUSE_MS);
    const waiting = await sql.unsafe(`SELECT FROM ${schema}.webhook
      WHERE last_event_id < (SELECT max(id) FROM ${schema}.event)
        OR EXISTS (SELECT FROM ${schema}.delivery WHERE status = 'queued')`);
    return waiting.length === 0;
  });
}

function compareWithLog(
  events: readonly LoggedEvent[],
  streams: readonly (readonly number[])[],
  delivered: readonly { readonly id: number }[],
): Deliveries {
  const subjects = new Map(events.map(({ id, petId, resource }) => [Number(id), petId ?? resource]));
  const missing = (ids: readonly number[]) => subjects.size - new Set(ids).intersection(subjects).size;
  const isRepeat = (id: number, index: number, ids: readonly number[]) =>
    !subjects.has(id) || id <= (ids[index - 1] ?? 0);
  const arrived = [...new Set(delivered.map(({ id }) => id))];
  const bySubject = [...Map.groupBy(arrived, (id) => subjects.get(id)).values()];
  const repeats = (lists: readonly (readonly number[])[]) =>
    lists.flatMap((ids) => ids.filter(isRepeat)).length;
  return {
    eventsMissed: streams.reduce((sum, ids) => sum + missing(ids), 0),
    eventsDoubled: repeats(streams),
    webhooksMissed: missing(arrived),
    webhooksOutOfOrder: repeats(bySubject),
  };
}
