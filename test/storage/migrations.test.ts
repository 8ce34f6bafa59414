import { Database as Sqlite } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { TABLES } from "../../src/storage/copy/tables.ts";
import type { Migration } from "../../src/storage/migrations/migration.ts";
import { postgresMigrations } from "../../src/storage/migrations/postgres.ts";
import { sqliteMigrations } from "../../src/storage/migrations/sqlite.ts";
import { type DatabaseName, openDatabase } from "../../src/storage/open.ts";
import { freshDatabaseUrl } from "../postgres/database.ts";

interface Shape {
  /** `table.column type null|not null` */
  readonly columns: readonly string[];
  /** `table index unique|plain columns` */
  readonly indexes: readonly string[];
}

const TYPES: Readonly<Record<string, string>> = { bigint: "INTEGER", text: "TEXT", bytea: "BLOB" };

async function shapeOnSqlite(name: DatabaseName): Promise<Shape> {
  const dataDir = mkdtempSync(join(tmpdir(), "petstore-"));
  await (await openDatabase(name, { dataDir })).close();
  const database = new Sqlite(join(dataDir, `${name}.sqlite`), { readonly: true });
  const tables = database
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'migration'",
    )
    .all()
    .map((table) => table.name);
  const columns = tables.flatMap((table) =>
    database
      .query<{ name: string; type: string; notnull: number; pk: number }, [string]>(
        "SELECT * FROM pragma_table_info(?)",
      )
      .all(table)
      .map(
        (column) =>
          `${table}.${column.name} ${column.type} ${column.notnull || column.pk ? "not null" : "null"}`,
      ),
  );
  const indexes = tables.flatMap((table) =>
    database
      .query<{ name: string; unique: number; origin: string }, [string]>(
        "SELECT * FROM pragma_index_list(?) WHERE origin = 'c'",
      )
      .all(table)
      .map((index) => {
        const of = database
          .query<{ name: string }, [string]>("SELECT name FROM pragma_index_info(?)")
          .all(index.name);
        return `${table} ${index.name} ${index.unique ? "unique" : "plain"} ${of.map((column) => column.name).join(",")}`;
      }),
  );
  database.close();
  return { columns: columns.sort(), indexes: indexes.sort() };
}

async function shapeOnPostgres(name: DatabaseName): Promise<Shape> {
  const databaseUrl = await freshDatabaseUrl();
  await (await openDatabase(name, { dataDir: "", databaseUrl })).close();
  const sql = new SQL(databaseUrl, { max: 1 });
  const columns: { table: string; column: string; type: string; nullable: string }[] = await sql`
    SELECT table_name AS table, column_name AS column, data_type AS type, is_nullable AS nullable
    FROM information_schema.columns WHERE table_schema = ${name} AND table_name <> 'migration'`;
  const indexes: { table: string; name: string; unique: boolean; columns: string }[] = await sql`
    SELECT t.relname AS table, i.relname AS name, x.indisunique AS unique,
      string_agg(a.attname, ',' ORDER BY array_position(x.indkey::int2[], a.attnum)) AS columns
    FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
      JOIN pg_namespace n ON n.oid = t.relnamespace JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = ANY (x.indkey)
    WHERE n.nspname = ${name} AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = i.oid)
    GROUP BY 1, 2, 3`;
  await sql.close();
  return {
    columns: columns
      .map(
        ({ table, column, type, nullable }) =>
          `${table}.${column} ${TYPES[type]} ${nullable === "NO" ? "not null" : "null"}`,
      )
      .sort(),
    indexes: indexes
      .map((index) => `${index.table} ${index.name} ${index.unique ? "unique" : "plain"} ${index.columns}`)
      .sort(),
  };
}

describe("the migrations of both engines", () => {
  test("have the same numbers and names, counting from 1", () => {
    const outline = (kinds: Readonly<Record<string, readonly Migration[]>>) =>
      Object.entries(kinds).map(([kind, steps]) => [kind, steps.map(({ number, name }) => [number, name])]);
    expect(outline(postgresMigrations)).toEqual(outline(sqliteMigrations));
    for (const steps of Object.values(sqliteMigrations)) {
      expect<number[]>(steps.map(({ number }) => number)).toEqual(steps.map((_, index) => index + 1));
    }
  });

  for (const name of ["accounts", "production", "messages"] as const) {
    test(`lead to the same tables and indexes: ${name}`, async () => {
      const [sqlite, postgres] = await Promise.all([shapeOnSqlite(name), shapeOnPostgres(name)]);
      expect(postgres).toEqual(sqlite);
      expect(sqlite.columns.length).toBeGreaterThan(5);
    });

    test(`make no column that a copy of the store would leave behind: ${name}`, async () => {
      const { columns } = await shapeOnSqlite(name);
      const made = columns
        .map((column) => column.replace(/ .*/, ""))
        .filter((column) => !column.startsWith("copy_run."));
      const carried = TABLES[name].flatMap((table) =>
        table.columns.map((column) => `${table.name}.${column}`),
      );
      expect(carried.toSorted()).toEqual(made);
    });
  }
});
