import { ServiceError } from "../errors.ts";
import type { Maybe } from "../platform/maybe.ts";
import type { ChangeSubscription, Channel, OnChange } from "./change-feed.ts";
import type { Insertion } from "./insertion.ts";
import { type NamedValues, type Statement, statement, type Values } from "./statement.ts";

/** A row to be created, with its log entry. */
export interface Creation<out Result> {
  readonly insertion: Insertion<never, Result>;
  readonly values: NamedValues;
  /** The log entry's values, without the row's identifier. They are absent if the insertion does not append a log entry. */
  readonly entry?: NamedValues;
  /**
   * Finds the row that already has the unique value, and throws an error that names that row. It resolves if no row has the value
   * any more, so that the insertion can be retried.
   */
  readonly refuseDuplicate?: (query: AwaitedQuery) => Promise<void>;
}

/** The columns of an idempotency record, and the time that decides which records have expired. */
export interface IdempotencyRecord {
  readonly name: {
    readonly accountId: number;
    readonly environment: string;
    readonly path: string;
    readonly key: string;
  };
  readonly fingerprint: Uint8Array;
  /** A number whose meaning is known only to the code that reads the record. */
  readonly outcome: number;
  readonly now: number;
  /**
   * A record that was created at this time or earlier has expired. The time is in milliseconds of the elapsed-time counter
   * (elapsed-time.ts).
   */
  readonly oldest: number;
}

/** The version of a database's contents. It stays the same until something is committed. */
export type DataVersion = number | bigint | string;

/** Called after each commit with the number of writes in it, and the number of seconds until it was on disk. */
export type OnCommit = (work: number, seconds: number) => void;

/** Called after each wait for a database connection, with the number of seconds waited and whether a connection was acquired. */
export type OnWait = (pool: Pool, seconds: number, isAcquired: boolean) => void;

/** The connection pools for a database server, one for each purpose. */
export const POOLS = ["read", "run", "transaction"] as const;
export type Pool = (typeof POOLS)[number];

/** Runs a statement and returns all of its rows, decoded. An embedded engine returns or throws synchronously. */
export type Query = <Given extends Values, Result>(
  statement: Statement<Given, Result>,
  values: NoInfer<Given>,
) => Maybe<readonly Result[]>;

/** Runs a statement and resolves to all of its rows, decoded, once a server has answered or a write is on disk. */
export type AwaitedQuery = <Given extends Values, Result>(
  statement: Statement<Given, Result>,
  values: NoInfer<Given>,
) => Promise<readonly Result[]>;

/** Called immediately before a statement is sent to a server. If it throws, the statement is not sent. */
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

/** Describes what a reset of staging does to one feature's tables. */
export interface ResetPart {
  /** The tables that are emptied, and whose identifiers then start at 1 again. */
  readonly restarting?: readonly string[];
  /** The tables that are emptied, but whose identifiers continue. */
  readonly continuing?: readonly string[];
  /** A statement that runs after the test clock is changed. */
  readonly onClockSet?: Statement<[offsetMs: number]>;
}

interface Emptied {
  readonly restarting: readonly string[];
  readonly continuing: readonly string[];
  /** The name of the log to empty. Its identifiers continue above the previous ones. */
  readonly log: string;
}

/** Thrown when a database file was moved, replaced or removed. Further writes would be lost when the process ends. */
export class FileGoneError extends Error {
  override readonly name = "FileGoneError";
}

/**
 * Thrown by every use of a database after one of its commits has failed on disk, until the service is restarted. It is logged only
 * once.
 */
export class DatabaseClosedError extends ServiceError {}

/** Thrown when a database server cannot be reached or does not answer in time. It is logged once for each outage. */
export class UnreachableError extends ServiceError {}

/** Thrown when a read-only database server refuses a change. It is logged once for each outage. */
export class ReadOnlyServerError extends UnreachableError {}

/** Thrown when a value that must be unique is already in another row. */
export class DuplicateError extends Error {
  override readonly name = "DuplicateError";
}

/** Thrown when a change fails because the disk is full. It is logged once for each outage. */
export class DiskFullError extends UnreachableError {}

/**
 * Provides the version of a database's contents. Each commit changes the version, and a cached value is valid as long as the
 * version that it was read at is current.
 */
export interface Versions {
  /** The version of the data that a read would see now, or undefined if it is unknown. */
  readonly current: () => Maybe<DataVersion | undefined>;
  /**
   * The number of milliseconds after which the version has probably changed, so that asking for it again would be useless. It is
   * `Infinity` if asking costs nothing.
   */
  readonly lifeMs: number;
  /**
   * Creates the query function for a request that has just read the version, so that its queries need not read the version again.
   * It is absent if that would save nothing.
   */
  readonly readAt?: (version: DataVersion) => Query;
}

/**
 * A write that changes nothing if it fails, because it has one statement or rolls everything back by itself. It costs less than a
 * transaction.
 */
export interface AtomicWrite {
  readonly isAtomic: true;
  /**
   * True if the work first reads, and then makes a single change that compares the row with the values that were read
   * (`Statement.compared`).
   */
  readonly readsFirst?: true;
  /** Called after waiting for the database, immediately before the statement is sent. */
  readonly beforeSending?: BeforeSending;
}

export interface CreateOptions {
  readonly record?: IdempotencyRecord | undefined;
  readonly beforeSending?: BeforeSending | undefined;
}

export interface Locks {
  /** The SQL suffix of a subquery that claims rows. It skips rows that another process is claiming. */
  readonly claim: string;
  /**
   * The SQL suffix that locks an idempotency record before its response is replayed. The lock waits until the record is as durable
   * as it was when the original response was sent, even on a standby.
   */
  readonly share: string;
}

/** The suffixes for an engine with a single writer, which needs no row locks. */
export const NO_LOCKS: Locks = { claim: "", share: "" };

export interface ColumnValue {
  readonly column: string;
  readonly value: string;
}

/** Operations on whole tables, for copies, resets, event streams, counts and tests. */
export interface WholeTables {
  /** Lists all tables. Each table comes after the tables that it refers to. */
  tables(): Promise<readonly Table[]>;
  nextId(table: string): Promise<bigint>;
  /**
   * For each of these values, counts the rows that have it in an indexed column. All counts are taken at the same moment, and other
   * requests run in the meantime. Numbers are passed as strings.
   *
   * @param among if given, only rows with this value in another column are counted. The index must contain that column directly
   * after the first one
   */
  countBy(
    table: string,
    column: string,
    values: readonly (string | null)[],
    among?: ColumnValue,
  ): Promise<readonly number[]>;
  setNextId(table: string, next: bigint): Promise<void>;
  /**
   * Empties tables, in the transaction that `query` belongs to.
   *
   * @param storeId identifies the store's new contents
   * @returns the identifier after which the log continues. One identifier is skipped, so that a reader at the end of the old log
   * can be told apart from a reader at the start of the new log
   */
  empty(query: Query, tables: Emptied, storeId: string): Promise<bigint>;
}

/**
 * Access to a store's data. Every method throws `ServiceError` `unavailable` if the data cannot be reached in time. In that case
 * nothing was changed, unless the error message says that the outcome is unknown.
 */
export interface Database {
  /** Runs a statement that changes nothing. It sees every write that was acknowledged before the statement began. */
  readonly read: Query;
  /**
   * Runs `work` in one transaction. `work` must not await anything except its query. Resolves once the transaction is on disk. If
   * `work` throws, the transaction is rolled back. A single `owner` can never use all connections.
   */
  write<Result>(work: (_: Query) => Maybe<Result>, atomic?: AtomicWrite, owner?: string): Promise<Result>;
  readonly run: AwaitedQuery;
  /**
   * Commits a row together with its log entry and its idempotency record. Returns the row, or nothing if there is already a valid
   * record.
   */
  readonly create: <Result>(
    creation: Creation<Result>,
    options?: CreateOptions,
  ) => Promise<readonly Result[]>;
  readonly locks: Locks;
  readonly versions: Versions;
  /** Calls `onChange` for every change that any process announces on one of this database's channels. */
  subscribe(channel: Channel, onChange: OnChange): Promise<ChangeSubscription>;
  /** Checks that the data can be read, and repeats the last failed read. Rejects if the data cannot be read. */
  check(): Promise<void>;
  readonly wholeTables: WholeTables;
  /** Waits for running writes to finish, and then closes the database. */
  close(): Promise<void>;
}

/** Reads a row that every migrated database has. */
export const probe: Statement<[]> = statement("SELECT number FROM migration LIMIT 1");
