const TURNS_BETWEEN = 8; // turns of the event loop between two steps: a small change takes three
const PAUSE_PER_STEP = 3; // a pause takes so many times as long as the step before it: most requests then meet no step
const PAUSE_MAX_MS = 25; // longest pause, after a step that waited for a database server

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a step of long work after the steps before it: one at a time in this process, with a pause between, so that other
 * requests run between any two of them, and a database server has one at a time.
 */
export function inTurn<Result>(step: () => Result | Promise<Result>): Promise<Result> {
  let startedAt = 0;
  const result = last.then(() => {
    startedAt = performance.now();
    return step();
  });
  last = result.catch(() => {}).then(() => pauseAfter(startedAt));
  return result;
}

async function pauseAfter(startedAt: number) {
  // What waits for the step goes on in this turn: a page is encoded and sent.
  await new Promise(setImmediate);
  const now = performance.now();
  const endsAt = now + Math.min(PAUSE_PER_STEP * (now - startedAt), PAUSE_MAX_MS);
  for (let turn = 1; turn < TURNS_BETWEEN || performance.now() < endsAt; turn++)
    await new Promise(setImmediate);
}
