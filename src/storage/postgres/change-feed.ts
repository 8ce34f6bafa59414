import { SQL } from "bun";
import { CONNECT_DEADLINE_SECONDS, FEED_HEARTBEAT_MS, FEED_STALE_MS } from "../../limits.ts";
import { systemRandomBytes } from "../../platform/random.ts";
import type { ChangeFeed, OnChange } from "../change-feed.ts";
import { type AwaitedQuery, noRows, type Statement, statement } from "../database.ts";

const announce: Statement<[channel: string, payload: string], undefined> = statement(
  "SELECT pg_notify($1, $2)",
  noRows,
);

/**
 * A LISTEN connection that checks itself: it sends itself a heartbeat, and notifications arrive in the order of their
 * commits, so that a heartbeat received means that everything committed before it was received. A connection that is dead
 * without an error shows by its missing heartbeats.
 */
export async function subscribeToChannel(
  url: string,
  channel: string,
  run: AwaitedQuery,
  onChange: OnChange,
): Promise<ChangeFeed> {
  const notified = `petstore_${channel}`;
  const beatPrefix = `beat:${Buffer.from(systemRandomBytes(8)).toString("hex")}:`;
  const sql = new SQL({ url, max: 1, connectionTimeout: CONNECT_DEADLINE_SECONDS });
  let receivedUpTo = Number.NEGATIVE_INFINITY;

  function receive(payload: string): void {
    if (payload.startsWith(beatPrefix))
      receivedUpTo = Math.max(receivedUpTo, Number(payload.slice(beatPrefix.length)));
    else if (!payload.startsWith("beat:")) onChange(payload);
  }
  // Also after every reconnection: notifications in between are lost.
  function restart(): void {
    receivedUpTo = Number.NEGATIVE_INFINITY;
    onChange(undefined);
  }
  await sql.listen(notified, receive, restart);
  const beat = () => void run(announce, [notified, beatPrefix + performance.now()]).catch(() => {});
  const beating = setInterval(beat, FEED_HEARTBEAT_MS);
  beat();

  return {
    isHealthy: () => performance.now() - receivedUpTo < FEED_STALE_MS,
    async close() {
      clearInterval(beating);
      await sql.close({ timeout: 0 });
    },
  };
}
