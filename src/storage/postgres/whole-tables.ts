import { catalogueStatement, tablesFrom } from "../catalogue.ts";
import type { AwaitedQuery, ColumnValue, WholeTables } from "../database.ts";
import { bigintColumn, members, nullable, numberColumn, singleRow, textColumn } from "../row.ts";
import { noRows, type Statement, statement } from "../statement.ts";

export function createWholeTables(schema: string, read: AwaitedQuery, run: AwaitedQuery): WholeTables {
  return {
    empty: createEmptying(schema),
    tables: async () => tablesFrom(await read(selectColumns(schema), [])),
    async countBy(table, column, values, among) {
      const counts = new Map(
        (await read(...selectCounts(table, column, among))).map((one) => [one.value, one.found]),
      );
      return values.map((value) => counts.get(value) ?? 0);
    },
    // The identifier is read on a connection for writing. After a failover, such a connection first raises all sequences, so that
    // the identifier is right.
    nextId: async (table) => (await run(selectNextId(table), []))[0] ?? 1n,
    async setNextId(table, next) {
      await run(restartIds, [`${schema}.${table}`, next]);
    },
  };
}

const selectColumns = (schema: string) =>
  catalogueStatement(`
  SELECT t.relname::text AS table_name, c.attname::text AS column_name,
    coalesce(array_position(k.conkey, c.attnum), 0)::bigint AS key_position,
    (c.attidentity <> '')::int::bigint AS is_identity,
    (SELECT string_agg(r.relname, ',') FROM pg_constraint AS f JOIN pg_class AS r ON r.oid = f.confrelid
      WHERE f.conrelid = t.oid AND f.contype = 'f') AS refers_to
  FROM pg_class AS t JOIN pg_attribute AS c ON c.attrelid = t.oid AND c.attnum > 0 AND NOT c.attisdropped
    LEFT JOIN pg_constraint AS k ON k.conrelid = t.oid AND k.contype = 'p'
  WHERE t.relkind = 'r' AND t.relnamespace = '${schema}'::regnamespace ORDER BY t.relname, c.attnum`);

type SelectCounts = Statement<string[], { readonly value: string | null; readonly found: number }>;

function selectCounts(table: string, column: string, among: ColumnValue | undefined) {
  const condition = among ? `WHERE ${among.column} = $1` : "";
  const counted: SelectCounts = {
    sql: `SELECT ${column}::text AS value, count(*) AS found FROM ${table} ${condition} GROUP BY ${column}`,
    decode: members({ value: nullable(textColumn), found: numberColumn }),
  };
  return [counted, among ? [among.value] : []] as const;
}

function selectNextId(table: string): Statement<[], bigint> {
  return {
    sql: `SELECT CASE WHEN is_called THEN last_value + 1 ELSE last_value END AS next FROM ${table}_id_seq`,
    decode: bigintColumn("next"),
  };
}

const restartIds: Statement<[table: string, next: bigint]> = statement(
  "SELECT setval(pg_get_serial_sequence($1, 'id'), greatest($2 - 1, 1), $2 > 1)",
);

/**
 * Empties tables with TRUNCATE. Unlike DELETE, TRUNCATE also removes rows that were committed after the transaction's snapshot, and
 * waits for open write transactions. If the transaction is rolled back, restarted sequences get their old values back, but the new
 * value of the log's sequence remains.
 */
function createEmptying(schema: string): WholeTables["empty"] {
  return async (query, { restarting, continuing, log }) => {
    const truncate = (tables: readonly string[], how: string): Statement<[]> => ({
      sql: `TRUNCATE ${tables.map((table) => `${schema}.${table}`).join(", ")} ${how}`,
      decode: noRows,
    });
    await query(truncate(restarting, "RESTART IDENTITY"), []);
    await query(truncate([...continuing, log], "CONTINUE IDENTITY"), []);
    const raise: Statement<[], bigint> = {
      sql: `SELECT setval('${schema}.${log}_id_seq', last_value + 1) AS last FROM ${schema}.${log}_id_seq`,
      decode: bigintColumn("last"),
    };
    return singleRow(await query(raise, []));
  };
}
