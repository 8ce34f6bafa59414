import type { TestApp } from "./test-app.ts";

/**
 * The deadline of a wait. It is much longer than a busy machine needs, so that the wait fails only if the condition never holds.
 */
const DEADLINE_MS = 60_000;

/**
 * Number of checks without pauses, one in each turn of the event loop. If the condition still does not hold then, it probably waits
 * for something slower, so the later checks have pauses between them.
 */
const TURNS = 20;
const PAUSE_MS = 3;

/** Checks `condition` until it holds; throws after `DEADLINE_MS`. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const endsAt = performance.now() + DEADLINE_MS;
  for (let checks = 1; performance.now() < endsAt; checks++) {
    if (await condition()) return;
    if (checks < TURNS) await new Promise((resolve) => setImmediate(resolve));
    else await Bun.sleep(PAUSE_MS);
  }
  throw new Error(`It did not hold within ${DEADLINE_MS / 1000} s.`);
}

/** Resolves once a key is in the cache. From then on, requests with this key are counted at once when they arrive. */
export function untilCached(app: Pick<TestApp, "reading" | "send">, key: string): Promise<void> {
  const hits = () => app.reading('petstore_key_checks_total{outcome="hit"}');
  return until(async () => {
    const before = await hits();
    await app.send("production", "GET /v1/key", { key });
    return (await hits()) > before;
  });
}
