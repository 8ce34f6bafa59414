import type { Maybe } from "../platform/maybe.ts";
import type { ChangeFeed, Channel, OnChange } from "./change-feed.ts";
import type { Append, Insertion } from "./insertion.ts";
import { type SqlValue, type Statement, statement } from "./statement.ts";

/** The columns of a record that is written once, and when a record like it counts as expired. */
export interface IdempotencyRecord {
  readonly name: readonly [accountId: number, environment: string, path: string, key: string];
  readonly fingerprint: Uint8Array;
  /** Of the response. */
  readonly status: number;
  readonly now: number;
  /** Records from before this, or at it, have expired. */
  readonly oldest: number;
}

/** Equal as long as nothing has been committed. */
export type DataVersion = number | bigint | string;

/** Called after each commit with the number of writes in it, and the seconds until it was on disk. */
export type OnCommit = (work: number, seconds: number) => void;

/** Called after each wait for a connection: in seconds, and whether it ended with one. */
export type OnWait = (pool: Pool, seconds: number, isAcquired: boolean) => void;

/** Connection pools of a shared database, by purpose. */
export const POOLS = ["read", "run", "transaction"] as const;
export type Pool = (typeof POOLS)[number];

/** Runs a statement and returns every row, decoded. An embedded engine returns them, and throws, at once. */
export type Query = <Values extends readonly SqlValue[], Result>(
  statement: Statement<Values, Result>,
  values: NoInfer<Values>,
) => Maybe<readonly Result[]>;

/** A query that has to be waited for: across a connection, or until it is on disk. */
export type AwaitedQuery = <Values extends readonly SqlValue[], Result>(
  statement: Statement<Values, Result>,
  values: NoInfer<Values>,
) => Promise<readonly Result[]>;

/** Called right before a statement is sent to a server; what it throws keeps that one from being sent. */
export type BeforeSending = () => void;

/** A table as the database's own catalogue has it. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[];
  /** Whether the engine gives out `id`. */
  readonly hasIdentity: boolean;
}

/** Tables that a reset empties. */
export interface Emptied {
  /** Tables whose identifiers start at 1 again. */
  readonly restarting: readonly string[];
  /** Tables whose identifiers go on. */
  readonly continuing: readonly string[];
  /** A log, whose numbers go on, too. */
  readonly log: string;
}

/**
 * Gives numbers to some of the rows that were appended to a log, in an order that no reader of it can miss one in: `more` when
 * others wait, `locked` when another process is at it.
 */
export type Numberer = () => Promise<"done" | "more" | "locked">;

/** The file of a database is not the one under its name any more: what is written to it is gone with the process. */
export class FileGoneError extends Error {
  override readonly name = "FileGoneError";
}

/** Versions of the data: what is cached is as new as its version. */
export interface Versions {
  /** The version of what a read would see now; undefined where it is not known. */
  readonly current: () => Maybe<DataVersion | undefined>;
  /** Milliseconds after which the version is most likely another one, and not worth a round trip; `Infinity` where it costs none. */
  readonly lifeMs: number;
  /** Reads for a request that has asked for the version: they see every write acknowledged before that. Absent where it saves nothing. */
  readonly readAt?: (version: DataVersion) => Query;
}

/** A write of a single statement, which costs less than a transaction. */
export interface SingleStatement {
  readonly isSingle: true;
  /** Called after a wait for the database, before the statement is sent. */
  readonly beforeSending?: BeforeSending;
}

/** Ends of statements that lock rows; empty where there is one writer at a time. */
export interface Locks {
  /** Of a sub-select that claims rows: passes over those which another process is claiming. */
  readonly claim: string;
  /**
   * Of a select of recorded answers, in a transaction or with `run`: it resolves when they are as durable as when they were
   * acknowledged, on a standby too.
   */
  readonly share: string;
}

/** For copies, resets and tests; no verb uses it. */
export interface Maintenance {
  /** Every table, with those that others refer to before them. */
  tables(): Promise<readonly Table[]>;
  /** The identifier that the table's next row would get. */
  nextId(table: string): Promise<bigint>;
  /** Sets the identifier of the table's next row. */
  setNextId(table: string, next: bigint): Promise<void>;
  /**
   * Empties tables, in the transaction of `query`.
   *
   * @param storeId names the store's new contents
   * @returns the number above which the log goes on: one is left out, so that a reader who was at its end differs from one who begins
   */
  empty(query: Query, tables: Emptied, storeId: string): Promise<bigint>;
}

/**
 * A store's data. Each method throws `ServiceError` `unavailable` when the data cannot be reached in time: nothing
 * was changed then, unless the message says that the outcome is not known.
 */
export interface Database {
  /** Runs a statement that changes nothing; it sees every write acknowledged before it began. */
  readonly read: Query;
  /**
   * Runs `work` in one transaction and resolves once that is on disk. When `work` throws, nothing of it happened
   * and the error is passed on. `work` awaits nothing but the query it is handed.
   */
  write<Result>(work: (query: Query) => Maybe<Result>, single?: SingleStatement): Promise<Result>;
  /** Writes a single statement. */
  readonly run: AwaitedQuery;
  /**
   * Inserts a row and the idempotency record that names it, in one statement; yields nothing when a valid record is
   * there. Absent where a transaction costs no more.
   */
  readonly insertIdempotent?: <Values extends readonly SqlValue[], Result>(
    insertion: Insertion<Values, Result>,
    values: NoInfer<Values>,
    record: IdempotencyRecord,
    beforeSending?: BeforeSending,
  ) => Promise<readonly Result[]>;
  readonly locks: Locks;
  readonly versions: Versions;
  /** Calls `onChange` at every change that any process announces on a channel; a channel belongs to one database. */
  subscribe(channel: Channel, onChange: OnChange): Promise<ChangeFeed>;
  /**
   * The numberer of a log; `onAppended` is called after each write that may have appended to one. Absent where a row has its
   * number when it is appended, because there is one writer at a time.
   */
  readonly numbererOf?: (append: Append<never>, onAppended: () => void) => Numberer;
  /** Rejects while the data cannot be read: reads a row, and what failed last. */
  check(): Promise<void>;
  readonly maintenance: Maintenance;
  /** Finishes the writes under way, then closes the data. */
  close(): Promise<void>;
}

/** Every database has had a migration. */
export const probe: Statement<[]> = statement("SELECT number FROM migration LIMIT 1");
