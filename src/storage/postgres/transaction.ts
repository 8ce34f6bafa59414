import type { Maybe } from "../../platform/maybe.ts";
import { systemRandomBytes } from "../../platform/random.ts";
import type { OnCommit, Query } from "../database.ts";
import { isAppend } from "../insertion.ts";
import type { Statement, Values } from "../statement.ts";
import { answerOf, execute } from "./connection.ts";
import { asOutcome, isConflict, isDuplicate } from "./errors.ts";
import type { ConnectionPool, PooledConnection } from "./pool.ts";
import type { BesideBegin, Qualifier } from "./qualifier.ts";

const CONFLICT_RETRIES_MAX = 40; // number of times that a transaction is retried after a conflict with another one, before the request is answered with 503
const CONFLICT_PAUSE_MAX_MS = 32; // longest pause before a transaction is retried after a conflict; the pause is random

export interface TransactionOptions {
  readonly qualified: Qualifier;
  readonly besideBegin: BesideBegin;
  readonly onCommit: OnCommit;
  /** Called after the end of a transaction that has added entries to a log, whether it was committed or rolled back. */
  readonly onAppended: () => void;
}

export function inTransaction<Result>(
  pool: Pick<ConnectionPool, "take">,
  work: (query: Query) => Maybe<Result>,
  options: TransactionOptions,
): Promise<Result> {
  return pool.take((connection) => runTransaction(connection, work, options));
}

async function runTransaction<Result>(
  connection: PooledConnection,
  work: (query: Query) => Maybe<Result>,
  { onCommit, onAppended, ...texts }: TransactionOptions,
): Promise<Result> {
  let isOpen = true;
  let isCommitting = false;
  let appends = false;
  const unread = createUnread();
  const { send, sent, begun } = beginWith(connection, texts);
  unread.add(begun);
  const query: Query = (statement, values) => {
    if (!isOpen)
      throw new Error("The query function of a transaction was used after the transaction had ended.");
    unread.requireAccepted();
    appends ||= isAppend(statement) || statement.compared?.appends === true;
    const answer = send(statement, values);
    return statement.isUnread ? unread.add(answer) : answer;
  };
  try {
    const result = await work(query);
    isOpen = false;
    await sent();
    unread.requireAccepted();
    isCommitting = true;
    await timed(onCommit, () =>
      knowingOutcome(async () => {
        await answerOf(connection, connection.commit(), "leave");
        await unread.settled();
      }),
    );
    return result;
  } catch (error) {
    isOpen = false;
    if (isCommitting) throw error;
    await sent();
    const undone = answerOf(connection, connection.sql.unsafe("ROLLBACK").execute(), "cancel");
    // If the rollback fails, the connection is closed, because the pool must not reuse it.
    await undone.catch(connection.close);
    // If a statement fails, the server also refuses all later statements of the transaction. For this reason, the first error is
    // the cause.
    unread.requireAccepted();
    throw error;
  } finally {
    if (appends) onAppended();
  }
}

/**
 * Begins a transaction, and sends the first statements together with BEGIN. If the server refused BEGIN, these statements would
 * run without the transaction, so each is rewritten to change nothing outside a transaction. A statement that cannot be rewritten
 * waits until the transaction has begun.
 */
function beginWith(
  connection: PooledConnection,
  { qualified, besideBegin }: Pick<TransactionOptions, "qualified" | "besideBegin">,
) {
  const begun = answerOf(connection, connection.begin(), "cancel");
  let isBegun = false;
  let waiting: Promise<unknown> | undefined;
  begun.then(
    () => {
      isBegun = true;
    },
    () => {},
  );
  function send<Result>(statement: Statement<never, Result>, values: Values): Promise<readonly Result[]> {
    // A statement whose result nobody reads is not cancelled at its deadline, because the commit may have been sent already. A
    // cancel request that arrives too late could then cancel the commit.
    const run = (text: Statement<never, Result>) =>
      execute(connection, text, values, statement.isUnread ? "leave" : "cancel");
    if (isBegun) return run(qualified(statement));
    const alone = waiting === undefined ? besideBegin(statement) : undefined;
    if (alone !== undefined) return run(alone);
    waiting = begun;
    return begun.then(() => run(qualified(statement)));
  }
  return {
    begun,
    send,
    /** Resolves when all statements of the transaction have been sent. */
    sent: async () => void (await waiting?.catch(() => {})),
  };
}

/**
 * Collects the answers to statements whose results nobody reads (`Statement.isUnread`), and to BEGIN. The transaction waits for
 * them only when it commits.
 */
function createUnread() {
  const answers: Promise<void>[] = [];
  let refusal: { readonly error: unknown } | undefined;
  const refuse = (error: unknown) => {
    refusal ??= { error };
  };
  function requireAccepted() {
    if (refusal !== undefined) throw refusal.error;
  }
  return {
    /** Adds an answer that the transaction waits for only when it commits. The caller gets no rows. */
    add(answer: Promise<unknown>): readonly never[] {
      answers.push(answer.then(() => {}, refuse));
      return [];
    },
    /** Throws the first error among the answers that have arrived, if there is one. */
    requireAccepted,
    async settled() {
      await Promise.all(answers);
      requireAccepted();
    },
  };
}

export async function knowingOutcome<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    throw asOutcome(error);
  }
}

/** Runs a commit. If it succeeds, reports how many seconds it took. */
export async function timed<Result>(
  onCommit: OnCommit,
  commit: () => Promise<Result>,
  writes = 1,
): Promise<Result> {
  const startedAt = performance.now();
  const result = await commit();
  onCommit(writes, (performance.now() - startedAt) / 1000);
  return result;
}

/**
 * Returns the pause before a retry, in milliseconds. It grows with the number of retries. It is random, so that the same
 * transactions do not conflict with each other again.
 */
function conflictPause(retry: number): number {
  const [byte = 0] = systemRandomBytes(1);
  return Math.min(2 ** retry, CONFLICT_PAUSE_MAX_MS) * (byte / 255);
}

/**
 * True if work failed because of another transaction, so that it can be run again. If the other transaction has just inserted the
 * same unique value, the next run will find that row, and can name it in the error.
 */
export const lostToAnother = (error: unknown): boolean => isConflict(error) || isDuplicate(error);

export async function retryConflicts<Value>(run: () => Promise<Value>): Promise<Value> {
  for (let retry = 0; ; retry++) {
    try {
      return await run();
    } catch (error) {
      if (retry >= CONFLICT_RETRIES_MAX || !lostToAnother(error)) throw error;
      await Bun.sleep(conflictPause(retry));
    }
  }
}
