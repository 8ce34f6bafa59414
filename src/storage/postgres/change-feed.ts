import type { SQL } from "bun";
import { FEED_HEARTBEAT_MS } from "../../limits.ts";
import { type ChangeFeed, type OnChange, subscriptionOf } from "../change-feed.ts";
import { createClient } from "./client.ts";
import { type Primary, primaryAt } from "./primary.ts";

const FEED_DEADLINE_MS = 4_000; // deadline of a heartbeat; if the heartbeat takes longer, the connection is replaced

/** The channel for heartbeats. Nothing is ever announced on it. */
const HEARTBEAT = "petstore_heartbeat";

interface Subscription {
  /** The channel's name on the server. It begins with the prefix of the store's schema names. */
  readonly channel: string;
  readonly onChange: OnChange;
}

interface Connection {
  readonly sql: SQL;
  isListening: boolean;
  /** The time (`performance.now()`) when the running heartbeat began. */
  beatingSince?: number | undefined;
}

/**
 * Creates a change feed with a single LISTEN connection, which is opened for the first subscription.
 *
 * Heartbeats check the connection. Each heartbeat sends one more LISTEN statement, and the server acknowledges it only after it has
 * sent all notifications of earlier commits. A heartbeat wakes no other process. For this reason, the cost grows in proportion to
 * the number of processes, and not to its square (decision 7).
 *
 * @param direct URL of the database server itself, if `url` is the URL of a pooler
 * @param prefix prefix of the store's schema names
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

  /**
   * Replaces the connection, because the server no longer responds. The driver would never report an error on such a connection.
   */
  function replace(connection: Connection) {
    if (connection !== current) return;
    connection.sql.close({ timeout: 0 }).catch(() => {});
    onRestart();
    primary.suspect();
    current = connect(primary, false);
  }
  // When a new primary is found, the connection has to be replaced, because the driver would reconnect to the old server.
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
  // The driver calls this callback again after every reconnection. Notifications may have been lost while it was disconnected.
  await sql.listen(channel, onChange, () => {
    onRestart();
    onChange(undefined);
  });
}
