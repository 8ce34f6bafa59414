import { NUMBERED_MAX } from "../limits.ts";
import { systemClock } from "../platform/clock.ts";
import type { Database, Numberer } from "../storage/database.ts";
import { appendEvent, dropQueued, moveQueued, selectQueued } from "./store.ts";

const NUMBERING_PAUSE_MS = 25; // pause between two numbering transactions of one process, so that events share them
const NUMBERING_POLL_MS = 1_000; // poll interval for events of a process that died, while events are made
const NUMBERING_POLL_MAX_MS = 15_000; // poll interval after NUMBERING_ACTIVE_MS without events
const NUMBERING_ACTIVE_MS = 10_000; // since the last event; then polls are rarer

type OnError = (error: unknown) => void;

/**
 * Numbers events asynchronously, right after their commits, including those of a process that died in between.
 *
 * @param schema the schema named in this database's announcements
 */
export async function startNumbering(database: Database, schema: string, onError: OnError) {
  const wakeUp = createWakeUp();
  const numberSome = database.numbererOf?.(appendEvent, wakeUp.onAppended);
  if (numberSome === undefined) {
    await numberCopied(database);
    return { async close() {} };
  }
  const feed = await database.subscribe("events", (announced) => {
    if (announced === schema) wakeUp.onAnnounced();
  });
  const running = numberAll(database, numberSome, wakeUp, onError);
  return {
    /** Stops numbering events after the current batch. Another process, or the next start, numbers the remaining ones. */
    async close() {
      wakeUp.stop();
      await running;
      await feed.close();
    },
  };
}

async function numberAll(
  database: Database,
  numberSome: Numberer,
  wakeUp: ReturnType<typeof createWakeUp>,
  onError: OnError,
) {
  let isDue = false;
  while (!wakeUp.isStopped()) {
    wakeUp.reset();
    try {
      if (isDue || (await hasQueued(database))) isDue = await keepNumbering(numberSome, wakeUp);
      isDue ||= await wakeUp.next();
    } catch (error) {
      onError(error);
      isDue = false;
      await wakeUp.pause(NUMBERING_POLL_MS);
    }
  }
  if (isDue) await numberSome().catch(onError);
}

/** Numbers the queued events, then pauses; true if another process holds the lock for numbering. */
async function keepNumbering(
  numberSome: Numberer,
  { pause }: Pick<ReturnType<typeof createWakeUp>, "pause">,
): Promise<boolean> {
  let numbered = await numberSome();
  while (numbered === "more") numbered = await numberSome();
  await pause(NUMBERING_PAUSE_MS);
  return numbered === "locked";
}

async function hasQueued(database: Database): Promise<boolean> {
  return (await database.read(selectQueued, [])).length > 0;
}

/** Creates the trigger of event numbering: a commit of this process, another's after a quiet time, or a timer. */
function createWakeUp() {
  const stop = new AbortController();
  let idle = new AbortController();
  let hasAppended = false;
  let activeUntil = Number.NEGATIVE_INFINITY;

  /** Prolongs the time of frequent polls after an event; true if it was over, since the last event was long ago. */
  function stayActive() {
    const now = performance.now();
    const wasQuiet = now > activeUntil;
    activeUntil = now + NUMBERING_ACTIVE_MS;
    return wasQuiet;
  }

  return {
    onAppended() {
      hasAppended = true;
      stayActive();
      idle.abort();
    },
    onAnnounced() {
      if (stayActive()) idle.abort();
    },
    /** Resets the wake-up before each look at the queue; an event appended afterwards causes another look. */
    reset() {
      hasAppended = false;
      idle = new AbortController();
    },
    pause: (milliseconds: number) => systemClock.wait(milliseconds, stop.signal),
    /** Waits for the next look at the event queue; true if this process has appended an event. */
    async next() {
      const pauseMs = performance.now() > activeUntil ? NUMBERING_POLL_MAX_MS : NUMBERING_POLL_MS;
      await systemClock.wait(pauseMs, AbortSignal.any([stop.signal, idle.signal]));
      return hasAppended;
    },
    isStopped: () => stop.signal.aborted,
    stop() {
      stop.abort();
    },
  };
}

/** Numbers the queued events of a store copied from another engine, on an engine that numbers events at once. */
async function numberCopied(database: Database) {
  for (let count = NUMBERED_MAX; count === NUMBERED_MAX; ) {
    if (!(await hasQueued(database))) return;
    count = await database.write(async (query) => {
      await query(moveQueued, []);
      return (await query(dropQueued, [])).length;
    });
  }
}
