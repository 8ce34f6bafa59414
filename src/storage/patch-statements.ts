import type { Int64 } from "exact-json/int64";
import type { Row, SqlValue, Statement } from "./statement.ts";

/** A table whose rows are changed by patches. A member that is undefined leaves its column unchanged, null empties it. */
export interface PatchedTable<Patch, Result> {
  readonly table: string;
  /** Column of each member that a patch may have. */
  readonly columns: { readonly [Member in keyof Patch]-?: string };
  /** SQL conditions for a new value, given as `$…`. The row is changed only if the conditions of all given members hold. */
  readonly conditions?: { readonly [Member in keyof Patch]?: (given: string) => string };
  readonly list: string;
  readonly decode: (row: Row) => Result;
}

/** A patch whose members are values of columns. */
export type PatchOf<Patch> = { readonly [Member in keyof Patch]: SqlValue | undefined };

type PatchStatement<Result> = Statement<readonly SqlValue[], Result>;

/**
 * Statements that set only the given members; one statement for each set of members. A patch without members just reads the row.
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
): string {
  const sets = given.map((member, index) => `${columns[member]} = $${index + 2}`).join(", ");
  const where = ["id = $1", ...given.map((member, index) => conditions[member]?.(`$${index + 2}`))];
  const row = where.filter((condition) => condition !== undefined).join(" AND ");
  if (sets === "") return `SELECT ${list} FROM ${table} WHERE ${row}`;
  return `UPDATE ${table} SET ${sets} WHERE ${row} RETURNING ${list}`;
}
