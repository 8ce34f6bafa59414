import { Database as Connection } from "bun:sqlite";
import { findMigrations, KIND, refuseUnknownMigrations, selectJournal } from "../migrations.ts";
import { CREATE_JOURNAL } from "../sqlite/database.ts";
import type { Row } from "../statement.ts";
import type { DatabaseName } from "../store-files.ts";

/**
 * A row of `sqlite_schema`, SQLite's catalogue of tables, indexes, triggers and views. In a forged file, it may contain any text.
 */
interface SchemaRow {
  readonly type: string;
  readonly name: string;
  readonly tbl_name: string;
  readonly sql: string | null;
}

/** The maximum length of a name quoted in a message, in characters. A longer name is truncated. */
const NAME_LENGTH_MAX = 80;

/**
 * Throws an error unless a file has exactly the tables, indexes, triggers, views and constraints that petstore's migrations create.
 * A forged file could contain a trigger, which would run inside the service's transactions, so this check comes before anything
 * else is read.
 *
 * @throws Error with a message for the operator, which quotes names from the file
 */
export function refuseForeignSchema(file: string, name: DatabaseName, title: string): void {
  const connection = new Connection(file, { readonly: true, safeIntegers: true });
  try {
    connection.run("PRAGMA trusted_schema = OFF");
    const migrations = findMigrations("sqlite", KIND[name]);
    const rows = schemaOf(connection);
    refuseOthers(rows.filter(isJournal), schemaOfScript(CREATE_JOURNAL), title);
    const journal = connection.query<Row, []>(selectJournal.sql).all().map(selectJournal.decode);
    // Migrations of a newer petstore are refused even if this program could work with them, because it does not know which tables
    // they create.
    const withoutOldest = journal.map(({ number, name }) => ({ number, name }));
    refuseUnknownMigrations(withoutOldest, migrations, title);
    const applied = migrations.slice(0, journal.length).map(({ sql }) => sql);
    refuseOthers(rows, schemaOfScript([CREATE_JOURNAL, ...applied].join(";\n")), title);
  } finally {
    connection.close();
  }
}

/** Throws an error unless a database has exactly the tables, indexes, triggers and views that the script creates. @throws Error */
export function refuseOtherSchema(connection: Connection, script: string, title: string): void {
  refuseOthers(schemaOf(connection), schemaOfScript(script), title);
}

const isJournal = ({ tbl_name }: SchemaRow) => tbl_name === "migration";

function refuseOthers(found: readonly SchemaRow[], expected: readonly SchemaRow[], title: string) {
  const known = new Set(expected.map(keyOf));
  const foreign = found.find((row) => !known.has(keyOf(row)));
  if (foreign !== undefined)
    throw new Error(
      `${title} has the ${foreign.type} ${shortened(foreign.name)}, which petstore did not create.`,
    );
  const there = new Set(found.map(keyOf));
  const missing = expected.find((row) => !there.has(keyOf(row)));
  if (missing !== undefined)
    throw new Error(
      `${title} does not have the ${missing.type} ${missing.name}, which every store of petstore has.`,
    );
}

function keyOf({ type, name, tbl_name, sql }: SchemaRow): string {
  return JSON.stringify([type, name, tbl_name, sql]);
}

function shortened(name: string): string {
  return String(name).slice(0, NAME_LENGTH_MAX);
}

function schemaOfScript(script: string): readonly SchemaRow[] {
  const connection = new Connection(":memory:");
  try {
    connection.exec(script);
    return schemaOf(connection);
  } finally {
    connection.close();
  }
}

function schemaOf(connection: Connection): readonly SchemaRow[] {
  return connection.query<SchemaRow, []>("SELECT type, name, tbl_name, sql FROM sqlite_schema").all();
}
