import type { Row, SqlValue, Statement } from "./statement.ts";

export type PageStatement<Item> = Statement<readonly SqlValue[], Item>;

/** The value that a column must equal, or a list with it; undefined matches any row. */
type Wanted = SqlValue | readonly SqlValue[] | undefined;

interface FilteredPage<Item> {
  readonly statement: PageStatement<Item>;
  readonly values: readonly SqlValue[];
}

const COUNTS = 1_002; // of a filter's values: none wanted, or a list of 0 to 1,000

/**
 * Statements for a table's pages, highest identifier first; one for each set of filters, so that it is prepared once.
 *
 * @param filters columns that pages may be filtered by, in the order of the values
 */
export function createPageStatements<Item>(
  table: string,
  columns: string,
  filters: readonly string[],
  decode: (row: Row) => Item,
): (wanted: readonly Wanted[], below: SqlValue, limit: number) => FilteredPage<Item> {
  const byCounts = new Map<number, PageStatement<Item>>();
  return (wanted, below, limit) => {
    const values: SqlValue[] = [];
    /** For each filter a digit: 0 if any row is wanted, or one more than its number of values. */
    let counts = 0;
    for (const value of wanted) {
      const before = values.length;
      if (isList(value)) values.push(...value);
      else if (value !== undefined) values.push(value);
      counts = counts * COUNTS + (value === undefined ? 0 : 1 + values.length - before);
    }
    values.push(below, limit);
    let statement = byCounts.get(counts);
    if (statement === undefined) {
      statement = { sql: `SELECT ${columns} FROM ${table} WHERE ${conditionsOf(filters, wanted)}`, decode };
      byCounts.set(counts, statement);
    }
    return { statement, values };
  };
}

function conditionsOf(filters: readonly string[], wanted: readonly Wanted[]): string {
  let number = 0;
  const bind = () => `$${++number}`;
  const conditions = filters.flatMap((column, index) => {
    const value = wanted[index];
    if (value === undefined) return [];
    return isList(value) ? `${column} IN (${value.map(bind).join(", ")})` : `${column} = ${bind()}`;
  });
  conditions.push(`id < ${bind()}`);
  return `${conditions.join(" AND ")} ORDER BY id DESC LIMIT CAST(${bind()} AS BIGINT)`;
}

function isList(value: Wanted): value is readonly SqlValue[] {
  return Array.isArray(value);
}
