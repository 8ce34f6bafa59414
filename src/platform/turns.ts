const TURNS_BETWEEN = 8; // turns of the event loop between two steps: a small change takes three
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a step of long work in a later turn of the event loop, after the steps before it: one at a time in this process, so
 * that other requests run between any two of them, and a database server has one at a time.
 */
export function inTurn<Result>(step: () => Result | Promise<Result>): Promise<Result> {
  const result = last.then(pause).then(step);
  last = result.catch(() => {});
  return result;
}

async function pause() {
  for (let turn = 0; turn < TURNS_BETWEEN; turn++) await new Promise(setImmediate);
}
