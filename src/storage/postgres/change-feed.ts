import { SQL } from "bun";
import { CONNECT_DEADLINE_SECONDS, FEED_HEARTBEAT_MS, FEED_STALE_MS } from "../../limits.ts";
import { systemRandomBytes } from "../../platform/random.ts";
import type { ChangeFeed, Channel, OnChange } from "../change-feed.ts";
import { noRows, type Query, type Statement, statement } from "../database.ts";

const announce: Statement<[channel: string, payload: string], undefined> = statement(
  "SELECT pg_notify($1, $2)",
  noRows,
);

/**
 * Listens to a topic on a connection of its own, and keeps asking itself whether it still hears: it announces a
 * heartbeat, and notifications arrive in the order of their commits, so that hearing a heartbeat means having heard
 * everything committed before it was sent. A connection that is silently dead is found out that way, too.
 */
export async function subscribeToChannel(
  url: string,
  topic: Channel,
  run: Query,
  onChange: OnChange,
): Promise<ChangeFeed> {
  const channel = `petstore_${topic}`;
  const beatPrefix = `beat:${Buffer.from(systemRandomBytes(8)).toString("hex")}:`;
  const sql = new SQL({ url, max: 1, connectionTimeout: CONNECT_DEADLINE_SECONDS });
  let heardUpTo = Number.NEGATIVE_INFINITY;

  function hear(payload: string): void {
    if (payload.startsWith(beatPrefix))
      heardUpTo = Math.max(heardUpTo, Number(payload.slice(beatPrefix.length)));
    else if (!payload.startsWith("beat:")) onChange(payload);
  }
  // Also after every reconnection: what was announced in between has reached nobody.
  function beginAnew(): void {
    heardUpTo = Number.NEGATIVE_INFINITY;
    onChange(undefined);
  }
  await sql.listen(channel, hear, beginAnew);
  const beat = () => void run(announce, [channel, beatPrefix + performance.now()]).catch(() => {});
  const beating = setInterval(beat, FEED_HEARTBEAT_MS);
  beat();

  return {
    isHealthy: () => performance.now() - heardUpTo < FEED_STALE_MS,
    async close() {
      clearInterval(beating);
      await sql.close({ timeout: 0 });
    },
  };
}
