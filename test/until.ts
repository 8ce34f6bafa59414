/** Far above what a busy machine takes: only what never comes fails. */
const DEADLINE_MS = 60_000;

/** Lets the program run, turn by turn of its event loop, until this holds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const endsAt = performance.now() + DEADLINE_MS;
  while (performance.now() < endsAt) {
    if (await condition()) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`It did not hold within ${DEADLINE_MS / 1000} s.`);
}
