import { unavailable } from "../../errors.ts";
import { COMMIT_BATCH_MAX } from "../../limits.ts";
import { andThen, type Maybe, orElse } from "../../platform/maybe.ts";
import type { OnCommit, Query, SingleStatement } from "../database.ts";

export const COMMIT_BATCH_FULL = 128; // writes that begin a commit before the event-loop turn ends

/** The one connection that writes, as the group commit sees it. */
export interface Writer {
  readonly query: Query;
  /** Called after every commit, before its callers are answered. */
  onCommitted?: () => void;
  /** Resolves once no other process writes; rejects when that takes too long. */
  begin(): Promise<void>;
  commit(): void;
  /** Ends the transaction, if there is one. Never throws. */
  rollback(): void;
  /** @throws ServiceError `unavailable` when the transaction has ended by itself, as a failing disk makes it */
  requireTransaction(): void;
  /** Whether a piece of work met what could not be read, so that the whole transaction was undone: known not to be stored. */
  isUndone(error: unknown): boolean;
  savepoint(): void;
  releaseSavepoint(): void;
  rollbackToSavepoint(): void;
}

type Work<Result> = (query: Query) => Maybe<Result>;

/** One caller's work: it runs inside the group's transaction, and is settled once the group is on disk. */
interface Job {
  /** One statement undoes itself when it fails; it needs no savepoint around it. */
  readonly isOneStatement: boolean;
  /** Whether the work was done. Never throws. */
  run(query: Query): Maybe<boolean>;
  settle(): void;
  fail(error: unknown): void;
}

/**
 * One commit for everything that arrived while the last one was running: the price of a disk flush is shared, and
 * a savepoint around each piece of work keeps one failure from hurting the others. Callers are answered after the
 * commit, the refused ones too, since what they were refused for may have been written in the same group.
 *
 * @param onCommit called with the number of writes in each commit, and the seconds until it was on disk
 */
export function createGroupCommit(writer: Writer, onCommit: OnCommit = () => {}) {
  let waiting: Job[] = [];
  let running: Promise<void> | undefined;
  let begin = () => {};
  let isClosed = false;

  async function commitAll() {
    // One turn of the event loop, so that requests already received join the first group; also for a write that seems to
    // be alone, because requests are handed in one by one. Under a flood the runtime keeps reading from sockets and no turn
    // ends: a group that is large enough begins by itself.
    await new Promise<void>((resolve) => {
      begin = resolve;
      setImmediate(resolve);
    });
    try {
      while (waiting.length > 0) {
        const batch = waiting.slice(0, COMMIT_BATCH_MAX);
        waiting = waiting.slice(COMMIT_BATCH_MAX);
        const seconds = await commitBatch(writer, batch);
        if (seconds !== undefined) onCommit(batch.length, seconds);
      }
    } finally {
      running = undefined;
    }
  }

  return {
    write<Result>(work: Work<Result>, single?: SingleStatement): Promise<Result> {
      if (isClosed) return Promise.reject(unavailable("The store is being closed."));
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      waiting.push(createJob(work, single !== undefined, resolve, reject));
      running ??= commitAll();
      if (waiting.length >= COMMIT_BATCH_FULL) begin();
      return promise;
    },
    /** Refuses further work; resolves when everything handed in so far has been settled. */
    async close() {
      isClosed = true;
      await running;
    },
  };
}

/** @returns the seconds that the commit took; undefined when there was none */
async function commitBatch(writer: Writer, batch: readonly Job[]): Promise<number | undefined> {
  let startedAt: number;
  try {
    await writer.begin();
    for (const job of batch) {
      const running = runJob(writer, job);
      if (running instanceof Promise) await running;
    }
    startedAt = performance.now();
    writer.commit();
  } catch (error) {
    writer.rollback();
    if (batch.length > 1 && writer.isUndone(error)) return commitHalves(writer, batch);
    for (const job of batch) job.fail(error);
    return undefined;
  }
  const seconds = (performance.now() - startedAt) / 1000;
  writer.onCommitted?.();
  for (const job of batch) job.settle();
  return seconds;
}

/** Finds the work that the others must not fail with. */
async function commitHalves(writer: Writer, batch: readonly Job[]): Promise<number | undefined> {
  const half = batch.length >> 1;
  const seconds = [
    await commitBatch(writer, batch.slice(0, half)),
    await commitBatch(writer, batch.slice(half)),
  ];
  const known = seconds.filter((one) => one !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, one) => sum + one);
}

function runJob(writer: Writer, job: Job): Maybe<void> {
  if (!job.isOneStatement) writer.savepoint();
  return andThen(job.run(writer.query), (isDone) => {
    if (!isDone) {
      writer.requireTransaction();
      if (!job.isOneStatement) writer.rollbackToSavepoint();
    }
    // Without one, the jobs before this would be gone, and those after it committed one by one.
    writer.requireTransaction();
    if (!job.isOneStatement) writer.releaseSavepoint();
  });
}

function createJob<Result>(
  work: Work<Result>,
  isOneStatement: boolean,
  resolve: (result: Result) => void,
  reject: (error: unknown) => void,
): Job {
  let settle = () => reject(new Error("The work was settled before it ran."));
  return {
    isOneStatement,
    run(query) {
      let isOpen = true;
      const guarded: Query = (statement, values) => {
        if (!isOpen) throw new Error("A transaction's query was used after its work had ended.");
        return query(statement, values);
      };
      const end = (isDone: boolean, settleSo: () => void) => {
        isOpen = false;
        settle = settleSo;
        return isDone;
      };
      return orElse(
        () => andThen(work(guarded), (result) => end(true, () => resolve(result))),
        (error) => end(false, () => reject(error)),
      );
    },
    settle: () => settle(),
    fail: reject,
  };
}
