import { catalogueStatement } from "../catalogue.ts";
import { int64Column } from "../row.ts";
import { noRows, type Statement, statement } from "../statement.ts";

export const selectColumns = (schema: string) =>
  catalogueStatement(`
  SELECT t.relname::text AS table_name, c.attname::text AS column_name,
    coalesce(array_position(k.conkey, c.attnum), 0)::bigint AS key_position,
    (c.attidentity <> '')::int::bigint AS is_identity,
    (SELECT string_agg(r.relname, ',') FROM pg_constraint AS f JOIN pg_class AS r ON r.oid = f.confrelid
      WHERE f.conrelid = t.oid AND f.contype = 'f') AS refers_to
  FROM pg_class AS t JOIN pg_attribute AS c ON c.attrelid = t.oid AND c.attnum > 0 AND NOT c.attisdropped
    LEFT JOIN pg_constraint AS k ON k.conrelid = t.oid AND k.contype = 'p'
  WHERE t.relkind = 'r' AND t.relnamespace = '${schema}'::regnamespace ORDER BY t.relname, c.attnum`);

export function selectNextId(table: string): Statement<[], bigint> {
  return {
    sql: `SELECT CASE WHEN is_called THEN last_value + 1 ELSE last_value END AS next FROM ${table}_id_seq`,
    decode: (row) => BigInt(int64Column(row, "next")),
  };
}

export const restartIds: Statement<[table: string, next: bigint], undefined> = statement(
  "SELECT setval(pg_get_serial_sequence($1, 'id'), $2, false)",
  noRows,
);
