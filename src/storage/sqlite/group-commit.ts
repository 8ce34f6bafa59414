import { unavailable } from "../../errors.ts";
import { COMMIT_BATCH_MAX } from "../../limits.ts";
import { andThen, type Maybe, orElse } from "../../platform/maybe.ts";
import type { AtomicWrite, OnCommit, Query } from "../database.ts";

export const COMMIT_BATCH_FULL = 128; // a commit starts when this many writes are waiting, even before the current turn of the event loop ends

/** The single writing connection, as used by the group commit. */
export interface Writer {
  readonly query: Query;
  /** Called after every commit, before its callers are answered. */
  onCommitted?: () => void;
  /** Begins a write transaction as soon as no other process is writing. Rejects if the wait takes too long. */
  begin(): Promise<void>;
  commit(): void;
  /** Rolls back a transaction, if one is open. Never throws. */
  rollback(): void;
  /** Throws if a disk failure has ended the transaction. @throws ServiceError `unavailable` */
  requireTransaction(): void;
  /** True if the whole transaction has certainly been rolled back, because a read failed. */
  isUndone(error: unknown): boolean;
  savepoint(): void;
  releaseSavepoint(): void;
  rollbackToSavepoint(): void;
}

type Work<Result> = (query: Query) => Maybe<Result>;

/** One caller's work. It runs inside the group's transaction, and the caller gets its outcome once the group is on disk. */
interface Job {
  readonly work: Work<unknown>;
  /** True if the work needs no savepoint, because it changes nothing if it fails, or rolls the whole group back. */
  readonly isAtomic: boolean;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** The job's result or, if it was refused, its error. */
  outcome: unknown;
  isRefused: boolean;
}

/**
 * Combines all writes that arrive during a commit into the next commit, so that they share a flush to disk. A savepoint around each
 * write isolates its failure. All callers are answered after the commit, even those whose write is refused, because the reason for
 * a refusal may have been written in the same group.
 *
 * @param onCommit called with the number of writes in each commit, and the number of seconds until it was on disk
 */
export function createGroupCommit(writer: Writer, onCommit: OnCommit = () => {}) {
  let waiting: Job[] = [];
  let running: Promise<void> | undefined;
  let startNow = () => {};
  let isClosed = false;

  async function commitAll() {
    // The commit waits until the turn of the event loop ends. The runtime delivers requests one by one, and in this way all
    // requests that have already arrived join the group. In a flood of requests the turn does not end, because the runtime keeps
    // reading from sockets. A commit therefore also starts when the group is large enough.
    await new Promise<void>((resolve) => {
      startNow = resolve;
      setImmediate(resolve);
    });
    try {
      while (waiting.length > 0) {
        const batch = waiting.slice(0, COMMIT_BATCH_MAX);
        waiting = waiting.slice(COMMIT_BATCH_MAX);
        await commitBatch(writer, batch, onCommit);
      }
    } finally {
      running = undefined;
    }
  }

  return {
    write<Result>(work: Work<Result>, atomic?: AtomicWrite): Promise<Result> {
      if (isClosed) return Promise.reject(unavailable("The store is being closed."));
      const isAtomic = atomic !== undefined && atomic.readsFirst !== true;
      return new Promise<unknown>((resolve, reject) => {
        waiting.push({ work, isAtomic, resolve, reject, outcome: undefined, isRefused: false });
        running ??= commitAll();
        if (waiting.length >= COMMIT_BATCH_FULL) startNow();
      }) as Promise<Result>;
    },
    /** Refuses further work. Resolves once all accepted work has settled. */
    async close() {
      isClosed = true;
      await running;
    },
  };
}

/**
 * Commits a batch of jobs. If one job's failure has rolled back the whole batch, each half is committed separately, and so on,
 * until that job is isolated.
 */
async function commitBatch(writer: Writer, batch: readonly Job[], onCommit: OnCommit): Promise<void> {
  let startedAt: number;
  try {
    await writer.begin();
    for (const job of batch) {
      const ran = runJob(writer, job);
      if (ran instanceof Promise) await ran;
    }
    startedAt = performance.now();
    writer.commit();
  } catch (error) {
    writer.rollback();
    if (batch.length > 1 && writer.isUndone(error)) {
      const half = batch.length >> 1;
      await commitBatch(writer, batch.slice(0, half), onCommit);
      await commitBatch(writer, batch.slice(half), onCommit);
    } else for (const job of batch) job.reject(error);
    return;
  }
  const seconds = (performance.now() - startedAt) / 1000;
  writer.onCommitted?.();
  for (const { isRefused, outcome, resolve, reject } of batch) (isRefused ? reject : resolve)(outcome);
  onCommit(batch.length, seconds);
}

function runJob(writer: Writer, job: Job): Maybe<void> {
  // `requireTransaction` throws if the job has ended the transaction. The earlier jobs have then been rolled back, and the later
  // ones would be committed one by one.
  if (job.isAtomic) return andThen(runWork(job, writer.query), writer.requireTransaction);
  writer.savepoint();
  let isOpen = true;
  const guarded: Query = (statement, values) => {
    if (!isOpen)
      throw new Error("The query function of a transaction was used after the transaction had ended.");
    return writer.query(statement, values);
  };
  return andThen(runWork(job, guarded), () => {
    isOpen = false;
    writer.requireTransaction();
    // Even this rollback may hit the damaged database page.
    if (job.isRefused) writer.rollbackToSavepoint();
    writer.requireTransaction();
    writer.releaseSavepoint();
  });
}

/** Runs a job's work and records its outcome. Never throws. */
function runWork(job: Job, query: Query): Maybe<void> {
  const note = (isRefused: boolean) => (outcome: unknown) => {
    job.isRefused = isRefused;
    job.outcome = outcome;
  };
  return orElse(() => andThen(job.work(query), note(false)), note(true));
}
