import type { TestApp } from "./test-app.ts";

/** Far above what a busy machine needs: only a condition that never holds fails. */
const DEADLINE_MS = 60_000;

/** Checks `condition` once per turn of the event loop until it holds; throws after `DEADLINE_MS`. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const endsAt = performance.now() + DEADLINE_MS;
  while (performance.now() < endsAt) {
    if (await condition()) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`It did not hold within ${DEADLINE_MS / 1000} s.`);
}

/** Resolves once a key is cached: from then its requests are counted as they arrive. */
export function untilCached(app: Pick<TestApp, "reading" | "send">, key: string): Promise<void> {
  const hits = () => app.reading('petstore_key_checks_total{outcome="hit"}');
  return until(async () => {
    const before = await hits();
    await app.send("production", "GET /v1/key", { key });
    return (await hits()) > before;
  });
}
