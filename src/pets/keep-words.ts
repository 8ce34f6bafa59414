import {
  CATCH_UP_MS,
  INDEX_BUSY_REST,
  INDEX_GATHER_MS,
  INDEX_IDLE_REST,
  INDEX_PETS_MIN,
  INDEX_TAKE_OVER_MS,
} from "../limits.ts";
import type { Clock } from "../platform/clock.ts";
import type { Database } from "../storage/database.ts";
import { singleRow } from "../storage/row.ts";
import { indexPets } from "./index-words.ts";
import { selectIndexed } from "./word-store.ts";

interface KeepingOptions {
  readonly database: Database;
  /** What the announcements of this database's events name. */
  readonly schema: string;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Keeps the words of animals' names behind the commits that add them, in one process at a time. */
export async function startKeepingWords({ database, schema, clock, onError }: KeepingOptions) {
  const pace = createPace(clock);
  const feed = await database.subscribe("events", (announced) => {
    if (announced === undefined || announced === schema) pace.onChange();
  });
  /** Of this process, or the last one that it has seen: where it is another one now, another process keeps the words. */
  let step: bigint | undefined;

  /** Yields the time to the next look; none where that waits for a change. */
  async function keepSome(): Promise<number | undefined> {
    const indexed = singleRow(await database.read(selectIndexed, []));
    if (indexed.waiting < INDEX_PETS_MIN) return undefined;
    const isOthers = step !== undefined && step !== indexed.step;
    ({ step } = indexed);
    const upTo = isOthers ? undefined : await database.settledId("pet");
    if (upTo === undefined) return INDEX_TAKE_OVER_MS;
    const made = await indexPets(database, indexed, upTo, pace.rest);
    if (made === undefined) return INDEX_TAKE_OVER_MS;
    step = made;
    return 0;
  }

  async function run(): Promise<void> {
    while (!pace.isStopped()) {
      pace.reset();
      const pauseMs = await keepSome().catch((error: unknown) => {
        onError(error);
        return INDEX_TAKE_OVER_MS;
      });
      if (pauseMs !== 0) await pace.pause(pauseMs);
    }
  }

  const running = run();
  return {
    catchUp: pace.hurry,
    async close() {
      pace.stop();
      await running;
      await feed.close();
    },
  };
}

/** When to go on: requests go first, except those that wait. */
function createPace(clock: Clock) {
  const stop = new AbortController();
  let hurrying = new AbortController();
  let hurried: { readonly endsAt: number; readonly resolve: () => void }[] = [];
  let hasChanged = false;
  let changed = Promise.withResolvers<void>();

  const wait = (ms: number) => clock.wait(ms, AbortSignal.any([stop.signal, hurrying.signal]));

  /** Lets requests go on for which there was enough time, or for which nothing more can be done. */
  function release(isOver: (endsAt: number) => boolean): void {
    for (const { resolve } of hurried.filter(({ endsAt }) => isOver(endsAt))) resolve();
    hurried = hurried.filter(({ endsAt }) => !isOver(endsAt));
    if (hurried.length === 0 && hurrying.signal.aborted) hurrying = new AbortController();
  }

  return {
    onChange(): void {
      hasChanged = true;
      changed.resolve();
    },
    /** Called before each look: what changes from then on needs another one. */
    reset(): void {
      changed = Promise.withResolvers();
    },
    /** Between two pieces of work: longer while others commit. */
    async rest(ms: number): Promise<boolean> {
      release((endsAt) => performance.now() > endsAt);
      hasChanged = false;
      // Also for who does not rest.
      await new Promise(setImmediate);
      await wait(ms * INDEX_IDLE_REST);
      if (hasChanged) await wait(ms * INDEX_BUSY_REST);
      return !stop.signal.aborted;
    },
    /** Between two looks; without a time, until a change. */
    async pause(ms: number | undefined): Promise<void> {
      release(() => true);
      if (ms === undefined) await changed.promise;
      await wait(ms ?? INDEX_GATHER_MS);
    },
    /** For a request: resolves when as much was done as it may wait for. */
    hurry(): Promise<void> {
      if (stop.signal.aborted) return Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      hurried.push({ endsAt: performance.now() + CATCH_UP_MS, resolve });
      changed.resolve();
      hurrying.abort();
      return promise;
    },
    isStopped: () => stop.signal.aborted,
    stop(): void {
      stop.abort();
      changed.resolve();
    },
  };
}
