import type { Row, SqlValue, Statement } from "./database.ts";

export type PageStatement<Item> = Statement<readonly SqlValue[], Item>;

/** Statements whose text depends on the filters given: one for each text, so that it is prepared once. */
export function createPageStatements<Item>(decode: (row: Row) => Item): (sql: string) => PageStatement<Item> {
  const bySql = new Map<string, PageStatement<Item>>();
  return (sql) => {
    const known = bySql.get(sql) ?? { sql, decode };
    bySql.set(sql, known);
    return known;
  };
}
