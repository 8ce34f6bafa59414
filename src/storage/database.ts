import type { ChangeFeed, Channel, OnChange } from "./change-feed.ts";

/** What a column can hold. Integers come back as `bigint`, whatever their size. */
export type SqlValue = string | number | bigint | null | Uint8Array;

export type Row = Readonly<Record<string, SqlValue>>;

/** SQL text in the subset that every engine shares, with `$1` for values, and how its rows become values. */
export interface Statement<Result> {
  readonly sql: string;
  readonly decode: (row: Row) => Result;
}

/** A statement that makes one row with an identifier of the engine's, and yields it. */
export interface Insertion<Result> extends Statement<Result> {
  readonly table: string;
  /** The columns that the values are for, in their order, with their types. */
  readonly columns: Readonly<Record<string, "TEXT" | "BIGINT">>;
}

/** The insertion into a table of a row that has these columns besides its `id`. */
export function insertion<Result>(
  table: string,
  columns: Insertion<Result>["columns"],
  decode: (row: Row) => Result,
): Insertion<Result> {
  const names = Object.keys(columns);
  const places = names.map((_, index) => `$${index + 1}`);
  const sql = `INSERT INTO ${table} (${names.join(", ")}) VALUES (${places.join(", ")}) RETURNING id, ${names.join(", ")}`;
  return { table, columns, sql, decode };
}

export function isInsertion<Result>(statement: Statement<Result>): statement is Insertion<Result> {
  return "table" in statement && "columns" in statement;
}

/** The columns of a record that is written once, and when a record like it counts as expired. */
export interface IdempotencyRecord {
  readonly name: readonly [accountId: number, environment: string, path: string, key: string];
  readonly fingerprint: Uint8Array;
  readonly now: number;
  /** Records from before this, or at it, have expired. */
  readonly oldest: number;
}

/** Equal as long as nothing has been committed. */
export type DataVersion = number | bigint;

/** Told of each commit: how many pieces of work it carried, and how many seconds it took to be on disk. */
export type OnCommit = (work: number, seconds: number) => void;

/** Told of each wait for a connection, in seconds, and whether one was had in the end. */
export type OnWait = (pool: Pool, seconds: number, isAdmitted: boolean) => void;

/** What connections of a shared database are for. */
export const POOLS = ["read", "run", "transaction"] as const;
export type Pool = (typeof POOLS)[number];

/** Runs a statement and returns every row, decoded. */
export type Query = <Result>(
  statement: Statement<Result>,
  values?: readonly SqlValue[],
) => Promise<readonly Result[]>;

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
  write<Result>(work: (query: Query) => Promise<Result>): Promise<Result>;
  /** Runs one statement that changes something: the same as a `write` of that statement alone, and cheaper. */
  readonly run: Query;
  /** The version of what a read would see now, whichever process changed it; absent where asking is a round trip. */
  readonly version?: () => DataVersion;
  /** Has `onChange` told of every change of a topic, by whichever process; a topic belongs to one database. */
  subscribe(topic: Channel, onChange: OnChange): Promise<ChangeFeed>;
  /** The identifier that the table's next row would get. */
  nextId(table: string): Promise<bigint>;
  /** Has the table's next row get this identifier. */
  setNextId(table: string, next: bigint): Promise<void>;
  /** Ends a sub-select that claims rows, so that it passes over those which another process is claiming. */
  readonly skipLocked: string;
  /**
   * Makes a row and the idempotency record that names it, in one statement; yields nothing when a valid record is
   * there already. Absent where a transaction costs no more.
   */
  readonly insertIdempotent?: <Result>(
    statement: Insertion<Result>,
    values: readonly SqlValue[],
    record: IdempotencyRecord,
  ) => Promise<readonly Result[]>;
  /** Finishes the writes under way, then lets go of the data. */
  close(): Promise<void>;
}

/** The statement yields no rows. */
export function noRows(): undefined {
  return undefined;
}
