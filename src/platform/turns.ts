const TURNS_BETWEEN = 8; // turns of the event loop between two steps: a small change takes three
const PAUSE_PER_STEP = 3; // a pause takes so many times as long as the step before it: most requests then meet no step
const PAUSE_MAX_MS = 25; // longest pause, after a step that waited for a database server

/** Waiting steps of each owner; the first owner is the next. */
const waiting = new Map<unknown, readonly (() => Promise<void>)[]>();
let isRunning = false;
let requests = 0;

/** Counts a request that arrives: long work then pauses for others. */
export function countArrival() {
  requests++;
}

/**
 * Runs a step of long work: one at a time in this process, so that other requests run between any two of them, and a database
 * server has one at a time. Owners take turns. A pause follows if requests have arrived since the step began.
 */
export function inTurn<Result>(owner: unknown, step: () => Result | Promise<Result>): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const run = () => Promise.resolve().then(step).then(resolve, reject);
  waiting.set(owner, [...(waiting.get(owner) ?? []), run]);
  if (!isRunning) runSteps();
  return promise;
}

async function runSteps() {
  isRunning = true;
  // An owner with further steps becomes the last.
  for (const [owner, [run, ...others]] of waiting) {
    waiting.delete(owner);
    if (others.length > 0) waiting.set(owner, others);
    const startedAt = performance.now();
    const before = requests;
    await run?.();
    await pauseAfter(startedAt, before);
  }
  isRunning = false;
}

async function pauseAfter(startedAt: number, before: number) {
  // A page is encoded and sent in the turn in which its step ends.
  await new Promise(setImmediate);
  const now = performance.now();
  const endsAt = now + Math.min(PAUSE_PER_STEP * (now - startedAt), PAUSE_MAX_MS);
  const isPausing = () => requests !== before && performance.now() < endsAt;
  for (let turn = 1; turn < TURNS_BETWEEN || isPausing(); turn++) await new Promise(setImmediate);
}
