const TURNS_MAX = 100_000;

/** Lets the program run, turn by turn of its event loop, until this holds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < TURNS_MAX; turn++) {
    if (await condition()) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error("It never came to that.");
}
