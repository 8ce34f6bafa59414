import { ServiceError } from "../errors.ts";
import type { Maybe } from "../platform/maybe.ts";
import type { ChangeSubscription, Channel, OnChange } from "./change-feed.ts";
import type { Insertion } from "./insertion.ts";
import { type NamedValues, type Statement, statement, type Values } from "./statement.ts";

/** A row to be created, with its log entry. */
export interface Creation<out Result> {
  readonly insertion: Insertion<never, Result>;
  readonly values: NamedValues;
  /** Values of the log entry, without the row's identifier; absent if the insertion appends none. */
  readonly entry?: NamedValues;
  /**
   * Finds the row that has the unique value, and throws an error that names it. Resolves if no row has it any more, so that the
   * insertion can be tried again.
   */
  readonly refuseDuplicate?: (query: AwaitedQuery) => Promise<void>;
}

/** Columns of an idempotency record, and the time that decides which records have expired. */
export interface IdempotencyRecord {
  readonly name: {
    readonly accountId: number;
    readonly environment: string;
    readonly path: string;
    readonly key: string;
  };
  readonly fingerprint: Uint8Array;
  /** A number that has a meaning only for the reader of the record. */
  readonly outcome: number;
  readonly now: number;
  /** Latest creation time of an expired record, in milliseconds of the elapsed-time counter (elapsed-time.ts). */
  readonly oldest: number;
}

/** Version of a database's contents. It stays the same until something is committed. */
export type DataVersion = number | bigint | string;

/** Called after each commit with the number of its writes, and the seconds until it was on disk. */
export type OnCommit = (work: number, seconds: number) => void;

/** Called after each wait for a database connection, with the seconds waited and whether a connection was acquired. */
export type OnWait = (pool: Pool, seconds: number, isAcquired: boolean) => void;

/** Connection pools of a shared database, by purpose. */
export const POOLS = ["read", "run", "transaction"] as const;
export type Pool = (typeof POOLS)[number];

/** Runs a statement and returns all its rows, decoded. An embedded engine returns, or throws, synchronously. */
export type Query = <Given extends Values, Result>(
  statement: Statement<Given, Result>,
  values: NoInfer<Given>,
) => Maybe<readonly Result[]>;

/** Runs a statement and resolves to all its rows, decoded, once a server has answered or a write is on disk. */
export type AwaitedQuery = <Given extends Values, Result>(
  statement: Statement<Given, Result>,
  values: NoInfer<Given>,
) => Promise<readonly Result[]>;

/** Called right before a statement is sent to a server. If it throws, the statement is not sent. */
export type BeforeSending = () => void;

/** A table in the database's own catalogue. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** Columns of the primary key, in the key's order. */
  readonly key: readonly string[];
  /** True if the engine assigns the identifiers (`id`) of the table's rows. */
  readonly hasIdentity: boolean;
}

/** A feature's part of a reset of staging. */
export interface ResetPart {
  /** Tables that are emptied, and whose identifiers start at 1 again. */
  readonly restarting?: readonly string[];
  /** Tables that are emptied, and whose identifiers continue. */
  readonly continuing?: readonly string[];
  /** Statement that follows a change of the test clock. */
  readonly onClockSet?: Statement<[offsetMs: number]>;
}

interface Emptied {
  readonly restarting: readonly string[];
  readonly continuing: readonly string[];
  /** Name of the log to empty. Its identifiers continue above the previous ones. */
  readonly log: string;
}

/** Error for a database file that was moved, replaced or removed. Further writes would be lost when the process ends. */
export class FileGoneError extends Error {
  override readonly name = "FileGoneError";
}

/** Error of every use of a database after a commit has failed on its disk, until the next start. Logged only once. */
export class DatabaseClosedError extends ServiceError {}

/** Error for a database server that cannot be reached or does not answer in time. Logged once for each outage. */
export class UnreachableError extends ServiceError {}

/** Error for a change that a read-only database server refuses. Logged once for each outage. */
export class ReadOnlyServerError extends UnreachableError {}

/** Error for a value that must be unique but is already in another row. */
export class DuplicateError extends Error {
  override readonly name = "DuplicateError";
}

/** Error for a change that a full disk refuses. Logged once for each outage. */
export class DiskFullError extends UnreachableError {}

/**
 * The version of a database's contents. Each commit changes it, and a cached value is valid as long as its version is current.
 */
export interface Versions {
  /** Version of the data that a read would see now; undefined if it is unknown. */
  readonly current: () => Maybe<DataVersion | undefined>;
  /**
   * Milliseconds after which the version has probably changed, so that asking for it again is useless; `Infinity` if asking is
   * free.
   */
  readonly lifeMs: number;
  /**
   * Query for a request that has just read the version, so that the query need not read it again. Absent if that saves nothing.
   */
  readonly readAt?: (version: DataVersion) => Query;
}

/** A write of a single statement, which costs less than a transaction. */
export interface SingleStatement {
  readonly isSingle: true;
  /** True if the work reads before its only change, which compares what was read (`Statement.compared`). */
  readonly readsFirst?: true;
  /** Called after a wait for the database, before the statement is sent. */
  readonly beforeSending?: BeforeSending;
}

export interface CreateOptions {
  readonly record?: IdempotencyRecord | undefined;
  readonly beforeSending?: BeforeSending | undefined;
}

/** SQL suffixes that lock rows. */
export interface Locks {
  /** SQL suffix for a sub-select that claims rows. It skips rows that another process is claiming. */
  readonly claim: string;
  /**
   * SQL suffix that locks a replayed record. It waits until the record is as durable as the original response was, even on a
   * standby.
   */
  readonly share: string;
}

/** Locks of an engine with a single writer. */
export const NO_LOCKS: Locks = { claim: "", share: "" };

export interface ColumnValue {
  readonly column: string;
  readonly value: string;
}

/** Operations on whole tables, for copies, resets, event streams, counts and tests. */
export interface WholeTables {
  /** All tables. Each comes after the tables that it refers to. */
  tables(): Promise<readonly Table[]>;
  nextId(table: string): Promise<bigint>;
  /**
   * Counts the rows that have each of these values in an indexed column, all at one moment. Other requests run while it counts.
   * Numbers are given as texts.
   *
   * @param among only rows with this value in another column, which follows the first one in the index, are counted
   */
  countBy(
    table: string,
    column: string,
    values: readonly (string | null)[],
    among?: ColumnValue,
  ): Promise<readonly number[]>;
  setNextId(table: string, next: bigint): Promise<void>;
  /**
   * Empties tables, in the transaction of `query`.
   *
   * @param storeId identifies the store's new contents
   * @returns the identifier after which the log continues. One is skipped, so that a reader at the end of the old log can be
   * told apart from one at the start of the new log
   */
  empty(query: Query, tables: Emptied, storeId: string): Promise<bigint>;
}

/**
 * A store's data. Each method throws `ServiceError` `unavailable` if the data cannot be reached in time; nothing has then been
 * changed, unless the message says that the outcome is unknown.
 */
export interface Database {
  /** Runs a statement that changes nothing. It sees every write that was acknowledged before it began. */
  readonly read: Query;
  /**
   * Runs `work` in one transaction. `work` must await nothing but its query. Resolves once the transaction is on disk; if `work`
   * throws, it is rolled back. One `owner` never has all connections.
   */
  write<Result>(work: (_: Query) => Maybe<Result>, single?: SingleStatement, owner?: string): Promise<Result>;
  readonly run: AwaitedQuery;
  /** Commits a row with its log entry and its idempotency record. Yields the row, or nothing if a valid record exists. */
  readonly create: <Result>(
    creation: Creation<Result>,
    options?: CreateOptions,
  ) => Promise<readonly Result[]>;
  readonly locks: Locks;
  readonly versions: Versions;
  /** Calls `onChange` for every change that any process announces on a channel of this database. */
  subscribe(channel: Channel, onChange: OnChange): Promise<ChangeSubscription>;
  /** Checks that the data can be read, and repeats the last failed read. Rejects if it cannot be read. */
  check(): Promise<void>;
  readonly wholeTables: WholeTables;
  /** Finishes running writes, then closes the data. */
  close(): Promise<void>;
}

/** Reads a row that every migrated database has. */
export const probe: Statement<[]> = statement("SELECT number FROM migration LIMIT 1");
