import type { Table } from "./database.ts";
import { flagColumn, members, numberColumn, optional, textColumn } from "./row.ts";
import type { Statement } from "./statement.ts";

const refersTo = optional(textColumn)("refers_to");
/** Decodes a row of the database engine's catalogue. Each row describes one column of a table. */
const decodeRow = members({
  table: () => textColumn("table_name"),
  column: () => textColumn("column_name"),
  /** The column's position in the primary key, counted from 1. It is 0 if the column is not part of the key. */
  keyPosition: numberColumn,
  isIdentity: flagColumn,
  refersTo: () => (row) => refersTo(row)?.split(",") ?? [],
});
type CatalogueRow = ReturnType<typeof decodeRow>;

/**
 * Declares a query that reads the database engine's catalogue. The query must return the columns `table_name`, `column_name`,
 * `key_position`, `is_identity` (0 or 1) and `refers_to` (comma-separated table names, or NULL). Its rows must be ordered by table,
 * and within a table by the position of the column.
 */
export function catalogueStatement(sql: string): Statement<[], CatalogueRow> {
  return { sql, decode: decodeRow };
}

/**
 * Returns the tables that the catalogue's rows describe, in the order of the rows. The only exception: a table comes after the
 * tables that it refers to.
 */
export function tablesFrom(rows: readonly CatalogueRow[]): readonly Table[] {
  const byName = Map.groupBy(rows, ({ table }) => table);
  const seen = new Set<string>();
  const tables: Table[] = [];
  function add(name: string) {
    if (seen.has(name)) return;
    seen.add(name);
    const columns = byName.get(name) ?? [];
    for (const target of columns[0]?.refersTo ?? []) add(target);
    tables.push(tableFrom(name, columns));
  }
  for (const name of byName.keys()) add(name);
  return tables;
}

function tableFrom(name: string, columns: readonly CatalogueRow[]): Table {
  return {
    name,
    columns: columns.map(({ column }) => column),
    key: columns
      .filter(({ keyPosition }) => keyPosition > 0)
      .sort((one, other) => one.keyPosition - other.keyPosition)
      .map(({ column }) => column),
    hasIdentity: columns.some(({ isIdentity }) => isIdentity),
  };
}
