import type { Row, SqlValue, Statement } from "./statement.ts";

export type PageStatement<Item> = Statement<readonly SqlValue[], Item>;

/**
 * Alternative values of a column, for a filter. In an index, the rows with one value form a range. A page is merged from the
 * newest rows of all these ranges.
 */
interface Ranges {
  readonly ranges: readonly SqlValue[];
}

/**
 * The filter for one column: the value that it must have, or alternative values as a list or as ranges. Null matches rows without
 * a value, and undefined matches every row.
 */
type Wanted = SqlValue | readonly SqlValue[] | Ranges | undefined;

interface FilteredPage<Item> {
  readonly statement: PageStatement<Item>;
  readonly values: readonly SqlValue[];
}

const LIST_MAX = 1_000; // maximum number of alternative values in the filter of a column
const RANGES_MAX = 10; // maximum number of index ranges that are merged into one page
const KINDS = LIST_MAX + RANGES_MAX + 4; // number of kinds of filters for one column: no filter, rows without a value, lists (one kind for each length), and ranges (one kind for each number of ranges)

/**
 * Creates the statements that read pages of a table, with the highest identifiers first. There is one statement for each
 * combination of filters, and each statement is prepared only once.
 *
 * @param filters the columns that can be filtered; the values are given in the same order
 */
export function createPageStatements<Item>(
  table: string,
  columns: string,
  filters: readonly string[],
  decode: (row: Row) => Item,
): (wanted: readonly Wanted[], below: SqlValue, limit: number) => FilteredPage<Item> {
  const byKinds = new Map<number, PageStatement<Item>>();
  return (wanted, below, limit) => {
    const values: SqlValue[] = [];
    /** Identifies the combination of filters. Each digit of this number, in base `KINDS`, is the kind of one filter. */
    let kinds = 0;
    for (const value of wanted) {
      const before = values.length;
      if (isList(value)) values.push(...value);
      else if (isRanges(value)) values.push(...value.ranges);
      else if (value !== undefined && value !== null) values.push(value);
      kinds = kinds * KINDS + kindOf(value, values.length - before);
    }
    values.push(below, limit);
    let statement = byKinds.get(kinds);
    if (statement === undefined) {
      statement = { sql: textOf(table, columns, filters, wanted), decode };
      byKinds.set(kinds, statement);
    }
    return { statement, values };
  };
}

function kindOf(value: Wanted, count: number): number {
  if (value === undefined) return 0;
  if (value === null) return LIST_MAX + 2;
  return isRanges(value) ? LIST_MAX + 3 + count : 1 + count;
}

function textOf(
  table: string,
  columns: string,
  filters: readonly string[],
  wanted: readonly Wanted[],
): string {
  let number = 0;
  const bind = () => `$${++number}`;
  const conditions: string[] = [];
  const order: string[] = [];
  let alternatives: readonly string[] = [""];
  for (const [index, column] of filters.entries()) {
    const value = wanted[index];
    if (value === undefined) continue;
    if (value === null) {
      conditions.push(`${column} IS NULL`);
      // The filter requires NULL in this column, so sorting by the column changes nothing. Without the sorting, however,
      // PostgreSQL would not recognize that the index on this column and `id` already returns the rows in the order of `id`.
      order.push(`${column} DESC`);
    } else if (isRanges(value)) alternatives = value.ranges.map(() => `${column} = ${bind()} AND `);
    else
      conditions.push(
        isList(value) ? `${column} IN (${value.map(bind).join(", ")})` : `${column} = ${bind()}`,
      );
  }
  conditions.push(`id < ${bind()}`);
  const end = `ORDER BY ${[...order, "id DESC"].join(", ")} LIMIT CAST(${bind()} AS BIGINT)`;
  const [first = "", ...others] = alternatives.map(
    (one) => `SELECT ${columns} FROM ${table} WHERE ${one}${conditions.join(" AND ")} ${end}`,
  );
  if (others.length === 0) return first;
  const ranges = [first, ...others].map((one, index) => `SELECT ${columns} FROM (${one}) AS range_${index}`);
  return `SELECT ${columns} FROM (${ranges.join(" UNION ALL ")}) AS range_all ${end}`;
}

function isList(value: Wanted): value is readonly SqlValue[] {
  return Array.isArray(value);
}

function isRanges(value: Wanted): value is Ranges {
  return typeof value === "object" && value !== null && "ranges" in value;
}
