import { catalogueStatement } from "../catalogue.ts";
import { bigintColumn } from "../row.ts";
import { type Statement, statement } from "../statement.ts";

export const selectColumns = catalogueStatement(`
  SELECT t.name AS table_name, c.name AS column_name, c.pk AS key_position,
    t.sql LIKE '% PRIMARY KEY AUTOINCREMENT%' AS is_identity,
    (SELECT group_concat(f."table") FROM pragma_foreign_key_list(t.name) AS f) AS refers_to
  FROM sqlite_schema AS t JOIN pragma_table_info(t.name) AS c
  WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name, c.cid`);

/**
 * Selects the last identifier that a table has assigned, as recorded by SQLite's AUTOINCREMENT. Returns no row if the table has not
 * assigned any identifier.
 */
export const selectLastId: Statement<[table: string], bigint> = statement(
  "SELECT seq FROM sqlite_sequence WHERE name = $1",
  bigintColumn("seq"),
);
export const forgetLastId: Statement<[table: string]> = statement(
  "DELETE FROM sqlite_sequence WHERE name = $1",
);
export const insertLastId: Statement<[table: string, last: bigint]> = statement(
  "INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)",
);
