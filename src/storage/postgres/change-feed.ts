import type { SQL } from "bun";
import { FEED_HEARTBEAT_MS } from "../../limits.ts";
import { type ChangeFeed, type OnChange, subscriptionOf } from "../change-feed.ts";
import { createClient } from "./client.ts";
import { type Primary, primaryAt } from "./primary.ts";

const FEED_DEADLINE_MS = 4_000; // deadline of a heartbeat, after which the connection is replaced

/** The channel that heartbeats listen to. Nothing is ever announced on it. */
const HEARTBEAT = "petstore_heartbeat";

interface Subscription {
  /** The channel's name on the server, including the prefix of the store's schemas. */
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
 * Creates a change feed with a single LISTEN connection. The first subscription opens the connection, and heartbeats check it. A
 * heartbeat is another LISTEN statement, which the server acknowledges only after it has sent all notifications of earlier commits.
 * A heartbeat wakes no other process, so the cost grows with the number of processes and not with its square (decision 7).
 *
 * @param direct URL of the database server itself, if `url` is the URL of a pooler
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

  /** Replaces the connection to a server that has vanished. The driver would never report an error on such a connection. */
  function replace(connection: Connection) {
    if (connection !== current) return;
    connection.sql.close({ timeout: 0 }).catch(() => {});
    onRestart();
    primary.suspect();
    current = connect(primary, false);
  }
  // The connection is replaced when a new primary is found, because the driver would reconnect to the old server.
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
  // The callback is also called after every reconnection, because notifications in between are lost.
  await sql.listen(channel, onChange, () => {
    onRestart();
    onChange(undefined);
  });
}
