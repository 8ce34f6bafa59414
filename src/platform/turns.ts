const TURNS_BETWEEN = 8; // turns of the event loop between two steps: a small change takes three
const PAUSE_PER_STEP = 3; // a pause takes so many times as long as the step before it: most requests then meet no step
const PAUSE_MAX_MS = 25; // longest pause, after a step that waited for a database server

let last: Promise<unknown> = Promise.resolve();
let requests = 0;

/** Counts a request that arrives: long work then pauses for others. */
export function countArrival() {
  requests++;
}

/**
 * Runs a step of long work after the steps before it: one at a time in this process, so that other requests run between any
 * two of them, and a database server has one at a time. A pause follows if requests have arrived since the step began.
 */
export function inTurn<Result>(step: () => Result | Promise<Result>): Promise<Result> {
  let startedAt = 0;
  let before = 0;
  const result = last.then(() => {
    startedAt = performance.now();
    before = requests;
    return step();
  });
  last = result.catch(() => {}).then(() => pauseAfter(startedAt, before));
  return result;
}

async function pauseAfter(startedAt: number, before: number) {
  // A page is encoded and sent in the turn in which its step ends.
  await new Promise(setImmediate);
  const now = performance.now();
  const endsAt = now + Math.min(PAUSE_PER_STEP * (now - startedAt), PAUSE_MAX_MS);
  const isPausing = () => requests !== before && performance.now() < endsAt;
  for (let turn = 1; turn < TURNS_BETWEEN || isPausing(); turn++) await new Promise(setImmediate);
}
