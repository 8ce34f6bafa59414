import type { Row, SqlValue, Statement } from "./statement.ts";

export type PageStatement<Item> = Statement<readonly SqlValue[], Item>;

/** A column that must equal a value, or one of a list; undefined matches any row. */
type Filter = readonly [column: string, value: SqlValue | readonly SqlValue[] | undefined];

interface FilteredPage<Item> {
  readonly statement: PageStatement<Item>;
  readonly values: readonly SqlValue[];
}

/** Statements for a table's pages, highest identifier first; one text for each set of filters, so that it is prepared once. */
export function createPageStatements<Item>(
  table: string,
  columns: string,
  decode: (row: Row) => Item,
): (filters: readonly Filter[], below: SqlValue, limit: number) => FilteredPage<Item> {
  const byFilters = new Map<string, PageStatement<Item>>();
  return (filters, below, limit) => {
    const values: SqlValue[] = [];
    let given = "";
    for (const [column, value] of filters) {
      if (value === undefined) continue;
      given += column;
      if (isList(value)) {
        values.push(...value);
        given += value.length;
      } else values.push(value);
    }
    values.push(below, limit);
    let statement = byFilters.get(given);
    if (statement === undefined) {
      statement = { sql: `SELECT ${columns} FROM ${table} WHERE ${conditionsOf(filters)}`, decode };
      byFilters.set(given, statement);
    }
    return { statement, values };
  };
}

function conditionsOf(filters: readonly Filter[]): string {
  let number = 0;
  const bind = () => `$${++number}`;
  const conditions = filters.flatMap(([column, value]) => {
    if (value === undefined) return [];
    return isList(value) ? `${column} IN (${value.map(bind).join(", ")})` : `${column} = ${bind()}`;
  });
  conditions.push(`id < ${bind()}`);
  return `${conditions.join(" AND ")} ORDER BY id DESC LIMIT CAST(${bind()} AS BIGINT)`;
}

function isList(value: SqlValue | readonly SqlValue[]): value is readonly SqlValue[] {
  return Array.isArray(value);
}
