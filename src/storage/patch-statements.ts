import type { Int64 } from "exact-json/int64";
import type { Append } from "./insertion.ts";
import { type NamedValues, noRows, type Row, type SqlValue, type Statement } from "./statement.ts";

/** A table whose rows are changed by patches. A member that is undefined leaves its column unchanged, and null clears it. */
export interface PatchedTable<Patch, Result> {
  readonly table: string;
  /** The column for each member that a patch may have. */
  readonly columns: { readonly [Member in keyof Patch]-?: string };
  /**
   * SQL conditions on a member's new value, whose placeholder (`$…`) is passed to the function. The row is changed only if the
   * conditions of all members in the patch hold.
   */
  readonly conditions?: { readonly [Member in keyof Patch]?: (given: string) => string };
  readonly list: string;
  readonly decode: (row: Row) => Result;
}

/** A patch whose members are column values. */
export type PatchOf<Patch> = { readonly [Member in keyof Patch]: SqlValue | undefined };

type PatchStatement<Result> = Statement<readonly SqlValue[], Result>;

/**
 * Creates a patch statement that needs no transaction: it changes the row only if the row still has the values in `before`, and
 * then appends the log entry. For a database server, both changes are in one statement.
 */
export function comparedPatch<Patch extends PatchOf<Patch>, Result>(
  table: PatchedTable<Patch, Result>,
  append: Append<never>,
) {
  const members = Object.keys(table.columns) as (keyof Patch & string)[];
  const byMembers = new Map<string, PatchStatement<Result>>();
  return (id: Int64, patch: Patch, before: object, entry: NamedValues | undefined) => {
    const given = members.filter((member) => patch[member] !== undefined);
    const name = `${given.join()} ${entry !== undefined}`;
    const statement = byMembers.get(name) ?? comparedStatement(table, append, given, entry !== undefined);
    byMembers.set(name, statement);
    const values: SqlValue[] = [
      id,
      ...given.map((member) => patch[member] ?? null),
      ...members.map((member): SqlValue => Reflect.get(before, member) ?? null),
      ...(entry === undefined ? [] : append.columns.map(({ member }) => entry[member] ?? null)),
    ];
    return { statement, values };
  };
}

function comparedStatement<Patch, Result>(
  table: PatchedTable<Patch, Result>,
  { log, columns }: Append<never>,
  given: readonly (keyof Patch & string)[],
  appends: boolean,
): PatchStatement<Result> {
  const compared = Object.values<string>(table.columns);
  const first = 2 + given.length;
  const isAsBefore = compared.map((column, index) => ` AND ${column} IS NOT DISTINCT FROM $${first + index}`);
  const sql = textOf(table, given, isAsBefore.join(""));
  if (!appends) return { sql, decode: table.decode, compared: {} };
  const names = columns.map(({ name }) => name).join(", ");
  const values = (from: number) =>
    columns.map(({ type }, index) => `CAST($${from + index} AS ${type})`).join(", ");
  const entry = `INSERT INTO ${log} (${names})`;
  const next = first + compared.length;
  // The log is locked only after waiting for any other transaction that changes the same row, because that transaction may hold the
  // log's lock.
  const combined = `WITH changed AS (${sql}), appended AS (${entry} SELECT ${values(next)} FROM changed) SELECT * FROM changed`;
  const statement = { sql: `${entry} VALUES (${values(1)})`, decode: noRows };
  return { sql, decode: table.decode, compared: { append: { statement, first: next, combined } } };
}

/**
 * Creates statements that set only the members in a patch. There is one statement for each combination of members. A patch without
 * members only reads the row.
 */
export function createPatchStatements<Patch extends PatchOf<Patch>, Result>(
  table: PatchedTable<Patch, Result>,
) {
  const members = Object.keys(table.columns) as (keyof Patch)[];
  const byMembers = new Map<string, PatchStatement<Result>>();
  return (id: Int64, patch: Patch) => {
    const values: SqlValue[] = [id];
    const given = members.filter((member) => {
      const value = patch[member];
      return value !== undefined && values.push(value);
    });
    const name = given.join();
    const statement = byMembers.get(name) ?? { sql: textOf(table, given), decode: table.decode };
    byMembers.set(name, statement);
    return { statement, values };
  };
}

function textOf<Patch>(
  { table, columns, conditions = {}, list }: PatchedTable<Patch, unknown>,
  given: readonly (keyof Patch)[],
  further = "",
): string {
  const sets = given.map((member, index) => `${columns[member]} = $${index + 2}`).join(", ");
  const where = ["id = $1", ...given.map((member, index) => conditions[member]?.(`$${index + 2}`))];
  const row = where.filter((condition) => condition !== undefined).join(" AND ") + further;
  if (sets === "") return `SELECT ${list} FROM ${table} WHERE ${row}`;
  return `UPDATE ${table} SET ${sets} WHERE ${row} RETURNING ${list}`;
}
