import type { SQL } from "bun";
import { FEED_HEARTBEAT_MS } from "../../limits.ts";
import { type ChangeFeed, type OnChange, subscriptionOf } from "../change-feed.ts";
import { createClient } from "./client.ts";
import { type Primary, primaryAt } from "./primary.ts";

const FEED_DEADLINE_MS = 4_000; // deadline of a heartbeat; the connection is then replaced

/** Channel of the heartbeats, on which nothing is announced. */
const HEARTBEAT = "petstore_heartbeat";

interface Subscription {
  /** The name of the channel at the server, with the prefix of the store's schemas. */
  readonly channel: string;
  readonly onChange: OnChange;
}

interface Connection {
  readonly sql: SQL;
  isListening: boolean;
  /** The time at which the current heartbeat began, by `performance.now()`. */
  beatingSince?: number | undefined;
}

/**
 * Creates a change feed with one LISTEN connection, which the first subscription opens and heartbeats check. A heartbeat is
 * one more LISTEN, which the server acknowledges after every notification of an earlier commit. It wakes no other process, so the
 * cost grows with the number of processes, not with its square (decision 7).
 *
 * @param direct URL of the server itself, if the other is a pooler's
 * @param prefix prefix of the store's schemas
 */
export function createChangeFeed(url: string, direct = url, prefix = ""): ChangeFeed {
  const primary = primaryAt(direct);
  const pooled = primaryAt(url, direct);
  const subscriptions = new Set<Subscription>();
  let current: Connection | undefined;
  let receivedUpTo = Number.NEGATIVE_INFINITY;
  let restarts = 0;
  let ticking: ReturnType<typeof setInterval> | undefined;

  function onRestart() {
    restarts++;
    receivedUpTo = Number.NEGATIVE_INFINITY;
  }

  async function beat(connection: Connection) {
    const begunAt = performance.now();
    connection.beatingSince = begunAt;
    for (const subscription of connection.isListening ? [] : subscriptions)
      await listen(connection, subscription, onRestart);
    connection.isListening = true;
    const before = restarts;
    const heartbeat = await connection.sql.listen(HEARTBEAT, () => {});
    if (connection === current && before === restarts) receivedUpTo = begunAt;
    await heartbeat.unlisten();
    connection.beatingSince = undefined;
  }

  /** Replaces a connection to a server that has vanished. On such a connection, nothing ever fails. */
  function replace(connection: Connection) {
    if (connection !== current) return;
    connection.sql.close({ timeout: 0 }).catch(() => {});
    onRestart();
    primary.suspect();
    current = connect(primary, false);
  }
  // By itself, the driver would reconnect to the same server.
  const unsubscribe = primary.subscribe(() => current && replace(current));

  function tick() {
    const connection = current;
    if (connection === undefined) return;
    const { beatingSince } = connection;
    if (beatingSince === undefined) beat(connection).catch(() => replace(connection));
    else if (performance.now() - beatingSince > FEED_DEADLINE_MS) replace(connection);
  }

  const feed: ChangeFeed = {
    async subscribe(channel, onChange) {
      const subscription = { channel: `${prefix}petstore_${channel}`, onChange };
      current ??= connect(primary, true);
      await listen(current, subscription, onRestart);
      subscriptions.add(subscription);
      ticking ??= setInterval(tick, FEED_HEARTBEAT_MS);
      return subscriptionOf(feed, subscriptions, subscription);
    },
    receivedUpTo(timeline = pooled.timeline()) {
      if (timeline <= primary.timeline()) return receivedUpTo;
      primary.suspect();
      return Number.NEGATIVE_INFINITY;
    },
    async close() {
      clearInterval(ticking);
      unsubscribe();
      await current?.sql.close({ timeout: 0 });
    },
  };
  return feed;
}

function connect(primary: Primary, isListening: boolean): Connection {
  return { sql: createClient(primary.server()), isListening };
}

async function listen(
  { sql }: Connection,
  { channel, onChange }: Subscription,
  onRestart: () => void,
): Promise<void> {
  // Also after every reconnection: notifications in between are lost.
  await sql.listen(channel, onChange, () => {
    onRestart();
    onChange(undefined);
  });
}
