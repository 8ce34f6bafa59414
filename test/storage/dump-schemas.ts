import { SQL } from "bun";
import type { Table } from "../../src/storage/database.ts";
import { findMigrations, KIND } from "../../src/storage/migrations.ts";
import { CREATE_JOURNAL } from "../../src/storage/postgres/migrator.ts";
import type { DatabaseName } from "../../src/storage/store-files.ts";

/**
 * Writes the content of a PostgreSQL store as SQL: first its migrations, then its rows and sequences. The tests' PostgreSQL has no
 * pg_dump.
 *
 * @param tables the tables of each schema; each table comes after those that it refers to
 */
export async function dumpSchemas(
  url: string,
  tables: ReadonlyMap<DatabaseName, readonly Table[]>,
): Promise<string> {
  const sql = new SQL(url, { max: 1 });
  const textsOf = async (query: string) => {
    const rows: { text: string }[] = await sql.unsafe(query);
    return rows.map(({ text }) => text);
  };
  const parts = [];
  for (const [schema, own] of tables) {
    parts.push(`CREATE SCHEMA ${schema}`, `SET search_path TO ${schema}`, CREATE_JOURNAL);
    parts.push(...findMigrations("postgres", KIND[schema]).map((migration) => migration.sql));
    // Deletes the rows that the migrations have inserted, because all rows are inserted below.
    parts.push(...own.toReversed().map(({ name }) => `DELETE FROM ${name}`));
    for (const table of own) parts.push(...(await textsOf(selectInsertions(schema, table))));
    parts.push(...(await textsOf(selectSequences(schema))));
  }
  await sql.close();
  return parts.map((part) => `${part};\n`).join("");
}

/**
 * Builds a query that returns an INSERT statement for each row of a table. Each value is written as text, and the column converts
 * it to its own type.
 */
function selectInsertions(schema: string, { name, columns, key }: Table): string {
  const values = columns.map((column) => `quote_nullable(${column}::text)`).join(", ");
  return `SELECT 'INSERT INTO ${name} (${columns.join(", ")}) VALUES (' || concat_ws(', ', ${values}) || ')' AS text
    FROM ${schema}.${name} ORDER BY ${key.join(", ")}`;
}

function selectSequences(schema: string): string {
  return `SELECT format('SELECT setval(%L, %s)', sequencename, last_value) AS text
    FROM pg_sequences WHERE schemaname = '${schema}' AND last_value IS NOT NULL ORDER BY sequencename`;
}
