import { environmentOfToken } from "../src/keys/token.ts";
import { FEED_STALE_MS } from "../src/limits.ts";
import type { TestApp } from "./test-app.ts";

/**
 * The maximum time to wait for a condition. Even a busy machine needs far less time, so the wait fails only if the condition never
 * holds.
 */
const DEADLINE_MS = 60_000;

/**
 * The number of checks without pauses, one in each turn of the event loop. If the condition does not hold by then, it probably
 * depends on something slower, so later checks have pauses between them.
 */
const TURNS = 20;
const PAUSE_MS = 3;

/** The real clock, even in tests during which `performance.now` stands still. */
const realNow = performance.now.bind(performance);

/** Checks `condition` again and again until it holds. Throws an error after `DEADLINE_MS`. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const endsAt = realNow() + DEADLINE_MS;
  for (let checks = 1; realNow() < endsAt; checks++) {
    if (await condition()) return;
    if (checks < TURNS) await new Promise((resolve) => setImmediate(resolve));
    else await Bun.sleep(PAUSE_MS);
  }
  throw new Error(`It did not hold within ${DEADLINE_MS / 1000} s.`);
}

/**
 * Resolves once the service has cached the API key. After that, the service counts requests with this key as soon as they arrive.
 */
export function untilCached(app: Pick<TestApp, "reading" | "send">, key: string): Promise<void> {
  const hits = () => app.reading('petstore_key_checks_total{outcome="hit"}');
  return until(async () => {
    const before = await hits();
    await app.send(environmentOfToken(key) ?? "production", "GET /v1/key", { key });
    return (await hits()) > before;
  });
}

/**
 * Runs `work` while the service has cached these API keys, so that it counts all requests with them as soon as they arrive.
 *
 * Without a heartbeat of the change feed, the service stops using its cache of keys after `FEED_STALE_MS`, and a busy machine may
 * stall for longer. `performance.now` therefore stands still until `work` has ended. It stands ahead of the real time, so that the
 * cache is used only after a heartbeat that began now, and therefore after all announcements of earlier changes to the keys.
 */
export async function whileCached<Result>(
  app: Pick<TestApp, "reading" | "send">,
  keys: readonly string[],
  work: () => Promise<Result>,
): Promise<Result> {
  const { now } = performance;
  const stopped = realNow() + FEED_STALE_MS;
  performance.now = () => stopped;
  try {
    for (const key of keys) await untilCached(app, key);
    return await work();
  } finally {
    performance.now = now;
  }
}
