import { ServiceError } from "../errors.ts";
import type { Maybe } from "../platform/maybe.ts";
import type { ChangeSubscription, Channel, OnChange } from "./change-feed.ts";
import type { Insertion } from "./insertion.ts";
import { type NamedValues, type Statement, statement, type Values } from "./statement.ts";

/** A row to insert, together with its log entry. */
export interface Creation<out Result> {
  readonly insertion: Insertion<never, Result>;
  readonly values: NamedValues;
  /** The values of the log entry, without the row's identifier. Absent if the insertion appends no log entry. */
  readonly entry?: NamedValues;
  /**
   * Called if another row already has the value that must be unique. It looks for that row, and throws an error that names it. If
   * that row has been deleted in the meantime, it resolves, and the insertion is tried again.
   */
  readonly refuseDuplicate?: (query: AwaitedQuery) => Promise<void>;
}

/** An idempotency record to insert. `oldest` decides whether an existing record with the same name has expired. */
export interface IdempotencyRecord {
  readonly name: {
    readonly accountId: number;
    readonly environment: string;
    readonly path: string;
    readonly key: string;
  };
  readonly fingerprint: Uint8Array;
  /** The outcome of the original request as a number, such as an HTTP status. The storage layer does not interpret it. */
  readonly outcome: number;
  readonly now: number;
  /**
   * Records that were created at this time or earlier have expired. The time is in milliseconds of the elapsed-time counter
   * (elapsed-time.ts).
   */
  readonly oldest: number;
}

/** The version of a database's contents. It changes only when something is committed. */
export type DataVersion = number | bigint | string;

/**
 * Called after each commit with the number of writes in the commit, and the number of seconds that it took until the commit was on
 * disk.
 */
export type OnCommit = (work: number, seconds: number) => void;

/** Called after each wait for a database connection. `isAcquired` is false if no connection became available in time. */
export type OnWait = (pool: Pool, seconds: number, isAcquired: boolean) => void;

/** The pools of connections to a database server, one pool for each purpose. */
export const POOLS = ["read", "run", "transaction"] as const;
export type Pool = (typeof POOLS)[number];

/** Runs a statement and returns all of its rows, decoded. With an embedded database engine, it returns or throws synchronously. */
export type Query = <Given extends Values, Result>(
  statement: Statement<Given, Result>,
  values: NoInfer<Given>,
) => Maybe<readonly Result[]>;

/** Runs a statement and resolves to all of its rows, decoded. A write is on disk by then. */
export type AwaitedQuery = <Given extends Values, Result>(
  statement: Statement<Given, Result>,
  values: NoInfer<Given>,
) => Promise<readonly Result[]>;

/** Called immediately before a statement is sent to a server. If it throws, the statement is not sent. */
export type BeforeSending = () => void;

export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
  /** True if the database engine assigns the value of `id` to each new row. */
  readonly hasIdentity: boolean;
}

/**
 * The tables of one feature, which are emptied when staging is reset, and a statement that adjusts the feature's times to the
 * test clock.
 */
export interface ResetPart {
  /** Tables that a reset empties. Their identifiers start again at 1. */
  readonly restarting?: readonly string[];
  /** Tables that a reset empties, but whose identifiers continue with the next number. */
  readonly continuing?: readonly string[];
  readonly onClockSet?: Statement<[offsetMs: number]>;
}

interface Emptied {
  readonly restarting: readonly string[];
  readonly continuing: readonly string[];
  /** The name of the event log, which a reset empties, too. Its identifiers continue with higher numbers. */
  readonly log: string;
}

/**
 * Thrown when a database file has been moved, replaced or removed while it was open. Further writes would be lost when the process
 * ends.
 */
export class FileGoneError extends Error {
  override readonly name = "FileGoneError";
}

/**
 * Thrown by every use of a database after one of its commits has failed on disk, until the service is restarted. It is logged only
 * the first time.
 */
export class DatabaseClosedError extends ServiceError {}

/** Thrown when a database server cannot be reached or does not answer in time. It is logged once for each outage. */
export class UnreachableError extends ServiceError {}

/** Thrown when a read-only database server refuses a change. It is logged once for each outage. */
export class ReadOnlyServerError extends UnreachableError {}

/** Thrown when another row already has a value that must be unique. */
export class DuplicateError extends Error {
  override readonly name = "DuplicateError";
}

/** Thrown when a change fails because the disk is full. It is logged once for each outage. */
export class DiskFullError extends UnreachableError {}

/**
 * Provides the version of a database's contents. Every commit changes the version, so a cached value is valid as long as the
 * version has not changed since the value was read.
 */
export interface Versions {
  /** The version of the data that a read would return at this moment, or undefined if the version is unknown. */
  readonly current: () => Maybe<DataVersion | undefined>;
  /**
   * The age, in milliseconds, from which a cached value is probably outdated. Such a value is read again without first comparing
   * versions. `Infinity` if reading the version costs nothing.
   */
  readonly lifeMs: number;
  /**
   * Returns a function that runs queries on data whose version the caller has just read, so that they need not read the version
   * again. Absent if this would save nothing.
   */
  readonly readAt?: (version: DataVersion) => Query;
}

/**
 * Marks a write that runs without a transaction, which costs less. The caller guarantees that it changes nothing if it fails,
 * because it is a single statement or undoes its own changes.
 */
export interface AtomicWrite {
  readonly isAtomic: true;
  /**
   * True if the write reads a row, and then makes a single change with `Statement.compared`, which changes the row only if it
   * still has the values that were read.
   */
  readonly readsFirst?: true;
  readonly beforeSending?: BeforeSending;
}

export interface CreateOptions {
  readonly record?: IdempotencyRecord | undefined;
  readonly beforeSending?: BeforeSending | undefined;
}

export interface Locks {
  /**
   * SQL text to add to a subquery that claims rows. It makes the subquery skip rows that another process is claiming at the same
   * time.
   */
  readonly claim: string;
  /**
   * SQL text to add to a query for an idempotency record. It locks the record, and waits until the record is as durable as when
   * the original response was sent: on disk and, if commits wait for a standby, there too. Only then may the response be sent
   * again.
   */
  readonly share: string;
}

/** The `Locks` of an engine that has only one writer, and so needs no row locks. */
export const NO_LOCKS: Locks = { claim: "", share: "" };

export interface ColumnValue {
  readonly column: string;
  readonly value: string;
}

/** Operations on whole tables, for copies, resets, event streams, counts and tests. */
export interface WholeTables {
  /** Lists all tables. A table comes after the tables that it refers to. */
  tables(): Promise<readonly Table[]>;
  nextId(table: string): Promise<bigint>;
  /**
   * For each element of `values`, counts the rows that have this value in an indexed column. All counts are from the same moment,
   * but other requests can run while the rows are counted. Numbers are passed as strings.
   *
   * @param among another column, and its value in the rows to count; in the index, this column must come directly after `column`
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
   * @returns an identifier that belongs to no event; the log continues after it. Without this gap, a reader at the end of the old
   * log and a reader at the beginning of the new log would be at the same position
   */
  empty(query: Query, tables: Emptied, storeId: string): Promise<bigint>;
}

/**
 * Access to a store's data. If the data cannot be reached in time, every method throws `ServiceError` `unavailable`. In that case
 * nothing was changed, unless the error message says that the outcome is unknown.
 */
export interface Database {
  /** Runs a statement that changes nothing. It sees every write that was acknowledged before it began. */
  readonly read: Query;
  /**
   * Runs `work` in one transaction, and resolves when the transaction is on disk. If `work` throws, the transaction is rolled back.
   * If the transaction conflicts with another client's change, `work` runs again. `work` must await nothing except its queries. A
   * single `owner` can use only some of the connections at the same time.
   */
  write<Result>(work: (_: Query) => Maybe<Result>, atomic?: AtomicWrite, owner?: string): Promise<Result>;
  readonly run: AwaitedQuery;
  /**
   * Inserts a row together with its log entry and its idempotency record. Returns the row, or nothing if there already is a valid
   * idempotency record.
   */
  readonly create: <Result>(
    creation: Creation<Result>,
    options?: CreateOptions,
  ) => Promise<readonly Result[]>;
  readonly locks: Locks;
  readonly versions: Versions;
  /** Calls `onChange` whenever a process announces a change to this database on the channel. */
  subscribe(channel: Channel, onChange: OnChange): Promise<ChangeSubscription>;
  /** Checks that the data can be read. If an earlier read failed, that read is tried again. Rejects if the data cannot be read. */
  check(): Promise<void>;
  readonly wholeTables: WholeTables;
  /** Waits for running writes to finish, and then closes the database. */
  close(): Promise<void>;
}

/** Reads a row that exists in every migrated database, to check that the database can be read. */
export const probe: Statement<[]> = statement("SELECT number FROM migration LIMIT 1");
