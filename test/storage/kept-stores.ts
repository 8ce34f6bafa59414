import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { hashMigrations } from "../../scripts/check/baselines.ts";
import { readSource } from "../../scripts/check/source.ts";
import { loadConfig } from "../../src/config.ts";
import type { Database, Table } from "../../src/storage/database.ts";
import { KIND } from "../../src/storage/migrations.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { exactRow } from "../../src/storage/row.ts";
import type { Row, SqlValue } from "../../src/storage/statement.ts";
import { DATABASE_NAMES, type DatabaseName } from "../../src/storage/store-files.ts";
import { emptyDatabaseUrl } from "../postgres/database.ts";
import { environment, freshEmbeddedStore, freshPostgresStore, type Store } from "../wire/stores.ts";
import { dumpSchemas } from "./dump-schemas.ts";
import { type Filled, fillStore } from "./fill-store.ts";

// Filled stores that were written by each release. Every later version must be able to open them.

/** The folder with the stores of all releases. Each release has a subfolder, which is named after its version. */
export const RELEASED = Bun.fileURLToPath(new URL("released", import.meta.url));

export const ENGINES = ["sqlite", "postgres"] as const;
type Engine = (typeof ENGINES)[number];

/** The rows of a store, keyed by database and table. Each row is an object with the values as text, keyed by column. */
type Rows = Readonly<
  Record<string, Readonly<Record<string, readonly Readonly<Record<string, string | null>>[]>>>
>;

export interface KeptStore {
  readonly keys: Filled;
  readonly rows: Rows;
  /** For SQLite, the database files in base64, keyed by name. For PostgreSQL, the SQL that creates the schemas. */
  readonly files: Readonly<Record<string, string>>;
}

/** Tables that may be empty in a saved store, because they only describe files or a copy that is in progress. */
const UNFILLED = ["copy_run", "store_file", "store_identity"];

const SCHEMAS = "schemas.sql";
const fileOf = (folder: string, engine: Engine) => join(folder, `${engine}.json.gz`);

/**
 * Fills a new store on SQLite and on PostgreSQL, and saves both in a new folder, together with the hashes of all migrations.
 *
 * @throws Error if a table is empty, which means that `fillStore` has to be extended
 */
export async function keepStores(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const engine of ENGINES) {
    const store = await (engine === "sqlite" ? freshEmbeddedStore() : freshPostgresStore());
    const keys = await fillStore(store);
    const kept: KeptStore = { keys, rows: await readRows(store), files: await filesOf(engine, store) };
    const empty = emptyIn(kept.rows);
    if (empty.length > 0)
      throw new Error(`Fill these tables in test/storage/fill-store.ts: ${empty.join(", ")}.`);
    writeFileSync(fileOf(folder, engine), Bun.gzipSync(JSON.stringify(kept)));
    rmSync(store.dataDir, { recursive: true });
  }
  const hashes = hashMigrations(await readSource());
  writeFileSync(join(folder, "migrations.json"), `${JSON.stringify(hashes, null, 2)}\n`);
}

/** Returns the tables that have no rows. A table that exists in production and in staging is listed only once. */
function emptyIn(rows: Rows): readonly string[] {
  const tables = DATABASE_NAMES.flatMap((name) =>
    Object.entries(rows[name] ?? {}).map(([table, found]) => ({ table: `${KIND[name]}.${table}`, found })),
  );
  const filled = new Set(tables.filter(({ found }) => found.length > 0).map(({ table }) => table));
  return [...new Set(tables.map(({ table }) => table))].filter((table) => !filled.has(table));
}

async function filesOf(engine: Engine, store: Store): Promise<KeptStore["files"]> {
  if (engine === "postgres") return { [SCHEMAS]: await dumpSchemas(urlOf(store), await tablesOf(store)) };
  const names = readdirSync(store.dataDir).filter((name) => name.includes(".sqlite"));
  return Object.fromEntries(
    names.map((name) => [name, readFileSync(join(store.dataDir, name)).toString("base64")]),
  );
}

/** Writes a saved store to disk exactly as its release left it, without opening it. */
export async function restoreKept(
  folder: string,
  engine: Engine,
): Promise<{ store: Store; kept: KeptStore }> {
  const kept: KeptStore = JSON.parse(
    new TextDecoder().decode(Bun.gunzipSync(readFileSync(fileOf(folder, engine)))),
  );
  if (engine === "postgres") {
    const store = await freshPostgresStore(emptyDatabaseUrl);
    const sql = new SQL(urlOf(store), { max: 1 });
    await sql.unsafe(kept.files[SCHEMAS] ?? "").simple();
    await sql.close();
    return { store, kept };
  }
  const store = await freshEmbeddedStore();
  for (const [name, bytes] of Object.entries(kept.files))
    writeFileSync(join(store.dataDir, name), Buffer.from(bytes, "base64"));
  return { store, kept };
}

/** Opens each database of a store with the present version of petstore, which migrates the database. */
async function eachDatabase(store: Store, work: (name: DatabaseName, database: Database) => Promise<void>) {
  const config = loadConfig({}, environment(store));
  for (const name of DATABASE_NAMES) {
    const database = await openDatabase(name, config);
    await work(name, database).finally(database.close);
  }
}

async function tablesOf(store: Store): Promise<ReadonlyMap<DatabaseName, readonly Table[]>> {
  const tables = new Map<DatabaseName, readonly Table[]>();
  await eachDatabase(store, async (name, database) => {
    tables.set(name, await database.wholeTables.tables());
  });
  return tables;
}

async function readRows(store: Store): Promise<Rows> {
  const found: Record<string, Rows[string]> = {};
  await eachDatabase(store, async (name, database) => {
    const tables = (await database.wholeTables.tables()).filter((table) => !UNFILLED.includes(table.name));
    const rows = tables.map(async (table) => [table.name, await rowsOf(database, table)] as const);
    found[name] = Object.fromEntries(await Promise.all(rows));
  });
  return found;
}

async function rowsOf(database: Database, { name, columns, key }: Table) {
  const sql = `SELECT ${columns.join(", ")} FROM ${name} ORDER BY ${key.join(", ")}`;
  const decode = (row: Row) => {
    const exact = exactRow(row);
    return Object.fromEntries(columns.map((column) => [column, textOf(exact[column] ?? null)]));
  };
  return await database.read({ sql, decode }, []);
}

function textOf(value: SqlValue): string | null {
  if (value === null) return null;
  return value instanceof Uint8Array ? value.toHex() : String(value);
}

/**
 * Opens a saved store, which migrates it, and compares its rows with the saved ones.
 *
 * @returns a line for each row, column or table that is missing or has changed
 */
export async function findLosses(store: Store, { rows: kept }: KeptStore): Promise<readonly string[]> {
  const now = await readRows(store);
  return Object.entries(kept).flatMap(([name, tables]) =>
    Object.entries(tables).flatMap(([table, before]) => {
      const after = new Set(now[name]?.[table]?.map((row) => lineOf(row, before[0] ?? {})));
      return before
        .map((row) => lineOf(row, row))
        .filter((line) => !after.has(line))
        .map((line) => `${name}.${table} ${line}`);
    }),
  );
}

/** Returns only some columns of a row, because a migration may have added others. */
function lineOf(row: Rows[string][string][number], columns: object): string {
  return JSON.stringify(Object.fromEntries(Object.keys(columns).map((column) => [column, row[column]])));
}

function urlOf({ settings }: Store): string {
  return settings["PETSTORE_DATABASE_URL"] ?? "";
}
