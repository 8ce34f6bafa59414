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

/** Checks `condition` again and again until it holds. Throws an error after `DEADLINE_MS`. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const endsAt = performance.now() + DEADLINE_MS;
  for (let checks = 1; performance.now() < endsAt; checks++) {
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
    await app.send("production", "GET /v1/key", { key });
    return (await hits()) > before;
  });
}
