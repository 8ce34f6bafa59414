const TURNS_BETWEEN = 8; // number of turns of the event loop between two steps of long work; a small change takes three turns
const PAUSE_PER_STEP = 3; // a pause is this many times as long as the step before it, so that most requests arrive during a pause and not during a step
const PAUSE_MAX_MS = 25; // longest pause, for example after a step that had to wait for a database server

// All services in a process share this state, because they share one event loop. The long work of one service must let the requests
// of all services run.

/** The steps that are waiting, keyed by owner. The first owner is next. */
const waiting = new Map<unknown, readonly (() => Promise<void>)[]>();
let isRunning = false;
let requests = 0;

/** Call this for each request that arrives. If requests arrive during a step of long work, there is a pause after the step. */
export function countArrival() {
  requests++;
}

/**
 * Runs one step of long work, such as a search. Only one step at a time runs in this process. This way, other requests can run
 * between two steps, and a database server never has to run several steps at once. Owners take turns. If requests have arrived
 * during a step, there is a pause after it.
 */
export function inTurn<Result>(owner: unknown, step: () => Result | Promise<Result>): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const run = () => Promise.resolve().then(step).then(resolve, reject);
  waiting.set(owner, [...(waiting.get(owner) ?? []), run]);
  if (!isRunning) runSteps();
  return promise;
}

interface PartsOptions<Item, Result> {
  /** Called before each part of the work. Returns the maximum number of items in that part. */
  readonly sizeOf: () => number;
  readonly run: (part: readonly Item[]) => Promise<readonly Result[]>;
}

/** Runs the long work of one request in parts. Between two parts, the requests that have arrived can run. */
export async function inParts<Item, Result>(
  items: readonly Item[],
  { sizeOf, run }: PartsOptions<Item, Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (;;) {
    results.push(...(await run(items.slice(results.length, results.length + sizeOf()))));
    if (results.length === items.length) return results;
    for (let turn = 0; turn < TURNS_BETWEEN; turn++) await new Promise(setImmediate);
  }
}

async function runSteps() {
  isRunning = true;
  // If an owner has more steps, the owner goes to the end of the queue.
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
  // Lets the event loop encode and send the page that the step has read.
  await new Promise(setImmediate);
  const now = performance.now();
  const endsAt = now + Math.min(PAUSE_PER_STEP * (now - startedAt), PAUSE_MAX_MS);
  const isPausing = () => requests !== before && performance.now() < endsAt;
  for (let turn = 1; turn < TURNS_BETWEEN || isPausing(); turn++) await new Promise(setImmediate);
}
