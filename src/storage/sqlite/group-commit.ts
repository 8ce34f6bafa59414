import { unavailable } from "../../errors.ts";
import { COMMIT_BATCH_MAX } from "../../limits.ts";
import { andThen, type Maybe, orElse } from "../../platform/maybe.ts";
import type { AtomicWrite, OnCommit, Query } from "../database.ts";

export const COMMIT_BATCH_FULL = 128; // a commit starts as soon as this many writes are waiting, even before the current turn of the event loop ends

/** The connection for writing, as the group commit uses it. There is only one. */
export interface Writer {
  readonly query: Query;
  /** Called after every commit, before the callers receive their results. */
  onCommitted?: () => void;
  /** Begins a write transaction. If another process is writing, it waits, and rejects if the wait takes too long. */
  begin(): Promise<void>;
  commit(): void;
  /** Rolls back a transaction, if one is open. Never throws. */
  rollback(): void;
  /** Throws an error if a disk failure has ended the transaction. @throws ServiceError `unavailable` */
  requireTransaction(): void;
  /** True if an error means that a read failed and that SQLite has rolled the whole transaction back. */
  isUndone(error: unknown): boolean;
  savepoint(): void;
  releaseSavepoint(): void;
  rollbackToSavepoint(): void;
}

type Work<Result> = (query: Query) => Maybe<Result>;

/** The work of one caller. It runs in the transaction of its group, and the caller gets the outcome when the group is on disk. */
interface Job {
  readonly work: Work<unknown>;
  /** True if the work needs no savepoint: if it fails, it has either changed nothing or rolled back the whole group. */
  readonly isAtomic: boolean;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** The result of the work or, if it was refused, the error. */
  outcome: unknown;
  isRefused: boolean;
}

/**
 * Collects all writes that arrive during a commit, and commits them together, so that they share one flush to disk. Each write
 * has a savepoint, so that its failure does not affect the others. All callers receive their results after the commit. A refused
 * write waits for it, too, because the reason for the refusal may have been written in the same group.
 *
 * @param onCommit called with the number of writes in each commit, and the number of seconds until the commit was on disk
 */
export function createGroupCommit(writer: Writer, onCommit: OnCommit = () => {}) {
  let waiting: Job[] = [];
  let running: Promise<void> | undefined;
  let startNow = () => {};
  let isClosed = false;

  async function commitAll() {
    // The commit waits until the end of the current turn of the event loop, so that all requests that have already arrived can
    // join the group. When very many requests arrive, the turn does not end, because the runtime keeps reading from sockets. A
    // commit therefore also starts when the group is large enough.
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
    /** Refuses further work, and resolves when all accepted work is finished. */
    async close() {
      isClosed = true;
      await running;
    },
  };
}

/**
 * Commits a group of writes. If the failure of one write has rolled back the whole group, the group is divided in half again and
 * again, until that write is alone.
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
  // `requireTransaction` throws if the work has ended the transaction. The earlier writes of the group are then rolled back, and
  // later writes must not run, because each would be committed separately.
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
    // If a page of the database is damaged, even the rollback to a savepoint may fail.
    if (job.isRefused) writer.rollbackToSavepoint();
    writer.requireTransaction();
    writer.releaseSavepoint();
  });
}

/** Runs the work and records its outcome. Never throws. */
function runWork(job: Job, query: Query): Maybe<void> {
  const note = (isRefused: boolean) => (outcome: unknown) => {
    job.isRefused = isRefused;
    job.outcome = outcome;
  };
  return orElse(() => andThen(job.work(query), note(false)), note(true));
}
