import { ACQUIRE_DEADLINE_MS, COMMIT_BATCH_MAX, STORE_QUEUE_MAX } from "../../limits.ts";
import { AcquireTimeoutError } from "../../platform/semaphore.ts";
import type { BeforeSending, CreateOptions } from "../database.ts";
import { type Insertion, rowOf } from "../insertion.ts";
import type { NamedValues } from "../statement.ts";
import { isRefusal } from "./errors.ts";
import { createGroupInsert, type GroupInsert, type InsertedRow, type Placed } from "./group-insert.ts";

export const COMMIT_BATCH_CHARACTERS_MAX = 1024 * 1024; // limit for the total length of the texts in a statement that inserts several rows; a single row may exceed it

interface GroupCommitOptions {
  /**
   * Runs `work`, which sends statements one after another, once there is a permit. If that takes too long, it rejects without
   * running `work`.
   */
  readonly withPermit: (work: () => Promise<void>) => Promise<void>;
  readonly run: (group: GroupInsert, rows: number) => Promise<readonly Placed[]>;
  /** Called for each row that was refused before it was sent, with the number of seconds that the row waited. */
  readonly onRefused: (seconds: number) => void;
}

/** Inserts a row and returns it. Returns nothing if there is already a valid idempotency record with the same name. */
type Insert = <Result>(
  insertion: Insertion<never, Result>,
  row: Pick<InsertedRow, "values" | "entry">,
  options: CreateOptions,
) => Promise<readonly Result[]>;

/**
 * A row to insert, with the callbacks of the caller that waits for its identifier. The identifier is undefined if there is already
 * a valid idempotency record.
 */
interface Job extends InsertedRow {
  readonly beforeSending: BeforeSending | undefined;
  readonly deadline: Timer | undefined;
  resolve(id: bigint | undefined): void;
  reject(error: unknown): void;
}

/**
 * Collects the rows that arrive while a statement is running, and inserts all of them with the next statement, so that they share a
 * round trip and a flush to disk. A row that arrives while no statement is running is sent immediately. For each kind of insertion,
 * only one statement runs at a time, so that identifiers follow the order of arrival.
 */
export function createGroupCommit(options: GroupCommitOptions): Insert {
  const queues = new Map<Insertion<never, unknown>, ReturnType<typeof createInsertQueue>>();
  return async (insertion, { values, entry }, { record, beforeSending }) => {
    const row = { values, entry, record };
    if (insertion.isUnique) {
      const id = await insertAlone(insertion, row, beforeSending, options);
      return id === undefined ? [] : [rowOf(insertion, values, id)];
    }
    const queue = queues.get(insertion) ?? createInsertQueue(insertion, options);
    queues.set(insertion, queue);
    const id = await queue(row, beforeSending);
    return id === undefined ? [] : [rowOf(insertion, values, id)];
  };
}

/**
 * Inserts a row with its own statement. If it shared a statement with other rows, a duplicate value would undo their insertion, and
 * a wait for a competing transaction would delay them.
 */
async function insertAlone(
  insertion: Insertion<never, unknown>,
  row: InsertedRow,
  beforeSending: BeforeSending | undefined,
  { withPermit, run }: GroupCommitOptions,
): Promise<bigint | undefined> {
  const group = createGroupInsert(insertion)([row]);
  let placed: readonly Placed[] = [];
  await withPermit(async () => {
    beforeSending?.();
    placed = await run(group, 1);
  });
  return placed[0]?.[1];
}

function createInsertQueue(
  insertion: Insertion<never, unknown>,
  { withPermit, run, onRefused }: GroupCommitOptions,
) {
  const groupInsert = createGroupInsert(insertion);
  const waiting = new Set<Job>();
  let isSending = false;

  async function sendAll() {
    isSending = true;
    while (waiting.size > 0) {
      try {
        await withPermit(() => send(takeGroup(waiting)));
      } catch (error) {
        for (const job of takeGroup(waiting)) job.reject(error);
      }
    }
    isSending = false;
  }

  /**
   * Sends a group of rows. If the server refuses the group, it is halved again and again until the offending row is found. The
   * other rows keep their order. Never throws.
   */
  async function send(group: readonly Job[]) {
    if (group.length === 0) return;
    try {
      const ids = new Map(await run(groupInsert(group), group.length));
      for (const [index, job] of group.entries()) job.resolve(ids.get(index + 1));
    } catch (error) {
      if (group.length > 1 && isRefusal(error)) {
        const half = group.length >> 1;
        await send(group.slice(0, half));
        return send(group.slice(half));
      }
      for (const job of group) job.reject(error);
    }
  }

  /** Starts a timer that refuses a waiting row in time, because the current statement may take longer than a request may. */
  function startDeadline(refuse: () => void): Timer {
    const startedAt = performance.now();
    return setTimeout(() => {
      onRefused((performance.now() - startedAt) / 1000);
      refuse();
    }, ACQUIRE_DEADLINE_MS);
  }

  return (row: InsertedRow, beforeSending: BeforeSending | undefined): Promise<bigint | undefined> => {
    if (waiting.size >= STORE_QUEUE_MAX) {
      onRefused(0);
      return Promise.reject(new AcquireTimeoutError("too many are waiting"));
    }
    const { promise, resolve, reject } = Promise.withResolvers<bigint | undefined>();
    const deadline = isSending
      ? startDeadline(() => {
          waiting.delete(job);
          reject(new AcquireTimeoutError(`not sent within ${ACQUIRE_DEADLINE_MS} ms`));
        })
      : undefined;
    const job: Job = { ...row, beforeSending, deadline, resolve, reject };
    waiting.add(job);
    if (!isSending) void sendAll();
    return promise;
  };
}

/** Takes as many rows from the front of the queue as fit in one statement. It rejects rows whose callers no longer wait. */
function takeGroup(waiting: Set<Job>): readonly Job[] {
  const group: Job[] = [];
  let characters = 0;
  for (const job of waiting) {
    characters += charactersIn(job.values) + charactersIn(job.entry);
    const isFull = group.length === COMMIT_BATCH_MAX || characters > COMMIT_BATCH_CHARACTERS_MAX;
    if (isFull && group.length > 0) break;
    waiting.delete(job);
    clearTimeout(job.deadline);
    try {
      job.beforeSending?.();
      group.push(job);
    } catch (error) {
      job.reject(error);
    }
  }
  return group;
}

function charactersIn(values: NamedValues = {}): number {
  let characters = 0;
  for (const member in values) {
    const value = values[member];
    if (typeof value === "string") characters += value.length;
  }
  return characters;
}
