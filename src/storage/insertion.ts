import type { Int64 } from "exact-json/int64";
import { noRows, type Row, type SqlValue, type Statement } from "./statement.ts";

/** Name and type of a column that an insertion fills. */
type Column = `${string} ${"TEXT" | "BIGINT"}`;

type ValuesFor<Columns extends readonly Column[]> = {
  readonly [Index in keyof Columns]: (Columns[Index] extends `${string} TEXT` ? string : Int64) | null;
};

/** A statement that inserts one row, with an identifier that the engine assigns, and yields the row. */
export interface Insertion<in Values extends readonly SqlValue[], out Result>
  extends Statement<Values, Result> {
  readonly table: string;
  /** The statement's SQL without `RETURNING`, for an engine that reports the identifier of an inserted row in another way. */
  readonly insertSql: string;
  /** Names and types of the inserted columns, in the order of the values: all columns except `id`. */
  readonly columns: readonly (readonly [name: string, type: string])[];
  readonly list: string;
  /**
   * True if a column's value is unique: an insertion may throw `DuplicateError`, and is never combined with the insertion of
   * other rows.
   */
  readonly isUnique?: true;
  /** Appends the row's log entry. Its first column is the row's identifier; the others take the values that follow the row's. */
  readonly append?: Append<never>;
}

/** A statement that appends a row to a log, which readers follow by identifier. */
export interface Append<in Values extends readonly SqlValue[]> extends Statement<Values, undefined> {
  readonly log: string;
  readonly columns: Insertion<never, unknown>["columns"];
}

/** Declares a statement that inserts a row with the given columns and an assigned `id`. */
export function insertion<const Columns extends readonly Column[], Result>(
  table: string,
  definitions: Columns,
  decode: (row: Row) => Result,
  options: Pick<Insertion<never, Result>, "isUnique"> = {},
): Insertion<ValuesFor<Columns>, Result> {
  const { columns, names, sql } = insertText(table, definitions);
  const list = `id, ${names}`;
  return { table, columns, list, insertSql: sql, sql: `${sql} RETURNING ${list}`, decode, ...options };
}

/** Declares a statement that appends a row with the given columns and an assigned identifier to a log. */
export function appending<const Columns extends readonly Column[]>(
  log: string,
  definitions: Columns,
): Append<ValuesFor<Columns>> {
  const { columns, sql } = insertText(log, definitions);
  return { log, columns, sql, decode: noRows, isUnread: true };
}

export function insertionWith<
  Values extends readonly SqlValue[],
  Result,
  Appended extends readonly SqlValue[],
>(
  { accepts: _, ...insertion }: Insertion<Values, Result>,
  append: Append<readonly [id: Int64 | null, ...Appended]>,
): Insertion<readonly [...Values, ...Appended], Result> {
  return { ...insertion, append };
}

function insertText(table: string, definitions: readonly Column[]) {
  const columns = definitions.map((column): [string, string] => {
    const [name = "", type = ""] = column.split(" ");
    return [name, type];
  });
  const names = columns.map(([name]) => name).join(", ");
  const numbers = columns.map((_, index) => `$${index + 1}`).join(", ");
  return { columns, names, sql: `INSERT INTO ${table} (${names}) VALUES (${numbers})` };
}

export function isInsertion<Values extends readonly SqlValue[], Result>(
  statement: Statement<Values, Result>,
): statement is Insertion<Values, Result> {
  return "table" in statement && "columns" in statement;
}

export function isAppend(statement: Statement<never, unknown>): statement is Append<never> {
  return "log" in statement;
}

/** Builds the row that an insertion with these values and this identifier has stored, without reading it back. */
export function rowOf<Result>(
  { columns, decode }: Insertion<never, Result>,
  values: readonly SqlValue[],
  id: bigint,
): Result {
  const row: Record<string, SqlValue> = { id };
  for (const [index, [name]] of columns.entries()) row[name] = values[index] ?? null;
  return decode(row);
}
