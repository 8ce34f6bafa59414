import type { Int64 } from "exact-json/int64";
import { columnOf } from "./row.ts";
import {
  type NamedValues,
  noRows,
  type Row,
  type SqlValue,
  type Statement,
  type Values,
} from "./statement.ts";

/**
 * The type of each column that an insertion fills. The keys are the columns' names in code, such as `createdAt` for the column
 * `created_at`.
 */
type Columns = Readonly<Record<string, "TEXT" | "BIGINT">>;

/** Makes the compiler require a column for every member of a resource, except `id`. Optional members are required too. */
export type ColumnsOf<Resource> = Readonly<Record<Exclude<keyof Resource, "id"> & string, "TEXT" | "BIGINT">>;

type RowFor<Given extends Columns> = {
  readonly [Member in keyof Given]: (Given[Member] extends "TEXT" ? string : Int64) | null;
};

export interface InsertedColumn {
  /** The name of the column in code, such as `createdAt`. The column's value has the same name in `Values`. */
  readonly member: string;
  readonly name: string;
  readonly type: string;
}

/** A statement that inserts one row and returns it. The engine assigns the row's identifier. */
export interface Insertion<in Given extends Values, out Result> extends Statement<Given, Result> {
  readonly table: string;
  /** The SQL text without `RETURNING`, for an engine that reports the identifier of an inserted row in a different way. */
  readonly insertSql: string;
  /** The inserted columns: all except `id`. */
  readonly columns: readonly InsertedColumn[];
  readonly list: string;
  /**
   * True if the values of a column must be unique. The insertion may then throw `DuplicateError`, so it is never combined with the
   * insertion of other rows.
   */
  readonly isUnique?: true;
  readonly append?: Append<never>;
}

/** A statement that appends an entry about a row to a log. Readers read a log in the order of its identifiers. */
export interface Append<in Given extends Values> extends Statement<Given> {
  readonly log: string;
  readonly columns: readonly InsertedColumn[];
  /** The name of the value in a log entry that contains the row's identifier. */
  readonly subject: string;
}

/** Declares a statement that inserts a row with the given columns. The row gets an automatic `id`. */
export function insertion<const Given extends Columns, Result>(
  table: string,
  types: Given,
  decode: (row: Row) => Result,
  options: Pick<Insertion<never, Result>, "isUnique"> = {},
): Insertion<RowFor<Given>, Result> {
  const { list, sql: insertSql, ...rest } = insertText(table, types);
  const all = `id, ${list}`;
  return { table, ...rest, list: all, insertSql, sql: `${insertSql} RETURNING ${all}`, decode, ...options };
}

/** Declares a statement that appends an entry with the given columns to a log. The entry gets an automatic identifier. */
export function appending<const Given extends Columns>(
  log: string,
  subject: keyof Given & string,
  types: Given,
): Append<RowFor<Given>> {
  const { columns, names, sql } = insertText(log, types);
  return { log, subject, columns, names, sql, decode: noRows, isUnread: true };
}

export function columnsOf(types: Columns): readonly InsertedColumn[] {
  return Object.entries(types).map(([member, type]) => ({ member, name: columnOf(member), type }));
}

function insertText(table: string, types: Columns) {
  const columns = columnsOf(types);
  const list = columns.map(({ name }) => name).join(", ");
  const numbers = columns.map((_, index) => `$${index + 1}`).join(", ");
  const names = columns.map(({ member }) => member);
  return { columns, names, list, sql: `INSERT INTO ${table} (${list}) VALUES (${numbers})` };
}

export function isInsertion<Given extends Values, Result>(
  statement: Statement<Given, Result>,
): statement is Insertion<Given, Result> {
  return "table" in statement && "columns" in statement;
}

export function isAppend(statement: Statement<never, unknown>): statement is Append<never> {
  return "log" in statement;
}

/** Builds an inserted row from its values and its identifier, so that it does not have to be read from the database. */
export function rowOf<Result>(
  { columns, decode }: Insertion<never, Result>,
  values: NamedValues,
  id: bigint,
): Result {
  const row: Record<string, SqlValue> = { id };
  for (const { member, name } of columns) row[name] = values[member] ?? null;
  return decode(row);
}
