const TURNS_BETWEEN = 8; // number of turns of the event loop between two steps of a long task, so that other requests can run; a small change needs three turns
const PAUSE_PER_STEP = 3; // the pause after a step of a long task is this many times as long as the step, so that most requests arrive during a pause and not during a step
const PAUSE_MAX_MS = 25; // longest pause between two steps of a long task; without this limit, the pause would be too long after a step that had to wait for a database server

// All services in a process share this state, because they share one event loop. A long task of one service must not delay the
// requests of another.

/** The waiting steps of long tasks, keyed by the owner of the task. The first owner's step runs next. */
const waiting = new Map<unknown, readonly (() => Promise<void>)[]>();
let isRunning = false;
let requests = 0;

/** Call this for each request that arrives. If requests arrive during a step of a long task, there is a pause after the step. */
export function countArrival() {
  requests++;
}

/**
 * Runs one step of a long task, such as a search. Only one step runs at a time in this process, so other requests can run between
 * two steps. Owners take turns. If requests have arrived during a step, there is a pause after it.
 */
export function inTurn<Result>(owner: unknown, step: () => Result | Promise<Result>): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const run = () => Promise.resolve().then(step).then(resolve, reject);
  waiting.set(owner, [...(waiting.get(owner) ?? []), run]);
  if (!isRunning) runSteps();
  return promise;
}

interface PartsOptions<Item, Result> {
  /** Called before each part of a long task. Returns the maximum number of items in the part. */
  readonly sizeOf: () => number;
  readonly run: (part: readonly Item[]) => Promise<readonly Result[]>;
}

/** Processes many items of one request in parts. Other requests can run between two parts. */
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
  // In the queue of long tasks, an owner with more steps goes to the end.
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
  // Waits until the event loop has encoded and sent the page that the step has read.
  await new Promise(setImmediate);
  const now = performance.now();
  const endsAt = now + Math.min(PAUSE_PER_STEP * (now - startedAt), PAUSE_MAX_MS);
  const isPausing = () => requests !== before && performance.now() < endsAt;
  for (let turn = 1; turn < TURNS_BETWEEN || isPausing(); turn++) await new Promise(setImmediate);
}
