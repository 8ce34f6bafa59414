import { Database as Sqlite } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { errorMessage } from "../../src/errors.ts";
import { tablesFrom } from "../../src/storage/catalogue.ts";
import { tablesToCopy } from "../../src/storage/copy/copy.ts";
import { type Insertion, isInsertion } from "../../src/storage/insertion.ts";
import {
  findMigrations,
  type JournalEntry,
  type Migration,
  migrationsIn,
  refuseUnknownMigrations,
  selectJournal,
} from "../../src/storage/migrations.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { openPostgres } from "../../src/storage/postgres/database.ts";
import { openSqlite } from "../../src/storage/sqlite/database.ts";
import type { Statement } from "../../src/storage/statement.ts";
import type { DatabaseName } from "../../src/storage/store-files.ts";
import { emptyDatabaseUrl, freshDatabaseUrl } from "../postgres/database.ts";

const PROJECT = Bun.fileURLToPath(new URL("../../", import.meta.url));

interface Shape {
  /** The columns of all tables, each in the form `table.column type null|not null`. */
  readonly columns: readonly string[];
  /** The indexes of all tables, each in the form `table index unique|plain columns`. */
  readonly indexes: readonly string[];
}

const TYPES: Readonly<Record<string, string>> = { bigint: "INTEGER", text: "TEXT", bytea: "BLOB" };

async function shapeOnSqlite(name: DatabaseName): Promise<Shape> {
  const dataDir = mkdtempSync(join(tmpdir(), "petstore-"));
  await (await openDatabase(name, { dataDir })).close();
  const database = new Sqlite(join(dataDir, `${name}.sqlite`), { readonly: true });
  const textsOf = (query: string) =>
    database
      .query<{ text: string }, []>(
        `WITH own AS (SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
           AND name NOT IN ('migration', 'store_identity', 'store_file')) ${query}`,
      )
      .all()
      .map(({ text }) => text);
  const columns = textsOf(
    `SELECT own.name || '.' || c.name || ' ' || c.type || iif(c."notnull" OR c.pk, ' not null', ' null') AS text
       FROM own JOIN pragma_table_info(own.name) AS c`,
  );
  const indexes = textsOf(
    `SELECT own.name || ' ' || i.name || iif(i."unique", ' unique ', ' plain ') ||
         (SELECT group_concat(name) FROM (SELECT name FROM pragma_index_info(i.name) ORDER BY seqno)) AS text
       FROM own JOIN pragma_index_list(own.name) AS i WHERE i.origin = 'c'`,
  );
  database.close();
  return { columns: columns.sort(), indexes: indexes.sort() };
}

async function shapeOnPostgres(name: DatabaseName): Promise<Shape> {
  const databaseUrl = await emptyDatabaseUrl();
  await (await openDatabase(name, { dataDir: "", databaseUrl })).close();
  const sql = new SQL(databaseUrl, { max: 1 });
  const columns: { table: string; column: string; type: string; nullable: string }[] = await sql`
    SELECT table_name AS table, column_name AS column, data_type AS type, is_nullable AS nullable
    FROM information_schema.columns WHERE table_schema = ${name} AND table_name <> 'migration'
      AND table_name NOT IN (SELECT viewname FROM pg_views WHERE schemaname = ${name})`;
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

/** For SQLite and PostgreSQL, a function that creates the settings of a new store. */
const ENGINES = [
  async () => ({ dataDir: mkdtempSync(join(tmpdir(), "petstore-")) }),
  async () => ({ dataDir: "", databaseUrl: await emptyDatabaseUrl() }),
];

async function tablesOf(name: DatabaseName, settings: (typeof ENGINES)[number]) {
  const database = await openDatabase(name, await settings());
  try {
    return await tablesToCopy(database);
  } finally {
    await database.close();
  }
}

describe("the migrations of both engines", () => {
  test("have the same numbers and names, counting from the baseline", () => {
    for (const kind of ["accounts", "store", "messages"]) {
      const [sqlite, postgres] = (["sqlite", "postgres"] as const).map((engine) =>
        findMigrations(engine, kind).map(({ number, name }) => [number, name]),
      );
      expect(postgres).toEqual(sqlite as typeof postgres);
      expect(sqlite?.[0]?.[1]).toBe("baseline");
    }
  });

  test("are refused if a number is missing or occurs twice, or if another file is among them", () => {
    const found = (...files: string[]) => migrationsIn(files, (file) => file).map(({ name }) => name);
    expect(found("0013-b.sql", "0012-a.sql")).toEqual(["a", "b"]);
    expect(() => found("0012-a.sql", "0014-c.sql")).toThrow("0014-c.sql should have the number 13");
    expect(() => found("0012-a.sql", "0012-b.sql")).toThrow("0012-b.sql should have the number 13");
    expect(() => found("0012-a.sql", "README.md")).toThrow("README.md should have the number 13");
  });

  for (const name of ["accounts", "production", "messages"] as const) {
    test(`lead to the same tables and indexes: ${name}`, async () => {
      const [sqlite, postgres] = await Promise.all([shapeOnSqlite(name), shapeOnPostgres(name)]);
      expect(postgres).toEqual(sqlite);
      expect(sqlite.columns.length).toBeGreaterThan(5);
    });

    test(`make no column that a copy of the store would leave behind: ${name}`, async () => {
      const [sqlite, postgres] = await Promise.all(ENGINES.map((settings) => tablesOf(name, settings)));
      expect(postgres).toEqual(sqlite as typeof postgres);
      const carried = sqlite?.flatMap((table) => table.columns.map((column) => `${table.name}.${column}`));
      const { columns } = await shapeOnSqlite(name);
      const made = columns
        .map((column) => column.replace(/ .*/, ""))
        // Some tables contain the state of a running copy, a rehearsal or a simulation. A copy of a store leaves them empty.
        .filter((column) => !/^(copy_run|rehearsal|simulation)\./.test(column));
      expect(carried?.toSorted()).toEqual(made);
      for (const { name, key } of sqlite ?? []) expect([name, key.length > 0]).toEqual([name, true]);
    });
  }

  test("make functions on PostgreSQL that find their tables in any session", async () => {
    const sql = new SQL(await freshDatabaseUrl(), { max: 1 });
    const found: { schema: string; settings: string[] | null }[] = await sql`
      SELECT pronamespace::regnamespace::text AS schema, proconfig AS settings FROM pg_proc
      WHERE pronamespace::regnamespace::text IN ('accounts', 'production', 'staging', 'messages')`;
    await sql.close();
    expect(new Set(found.map(({ schema }) => schema)).size).toBe(4);
    for (const { schema, settings } of found) expect(settings).toEqual([`search_path=${schema}`]);
  });

  test("are copied in an order in which each row's references exist, with the identifiers that engines assign", async () => {
    for (const settings of ENGINES) {
      const tables = await tablesOf("accounts", settings);
      expect(tables.map(({ name }) => name)).toEqual([
        ...["account", "api_key", "attempt_count", "audit_entry", "delivery_attempt", "key_activity", "mail"],
        ...[
          "mailed_token",
          "one_time_link",
          "passkey",
          "passkey_challenge",
          "provider_identity",
          "session",
          "setting",
        ],
      ]);
      const identities = tables.filter(({ hasIdentity }) => hasIdentity).map(({ name }) => name);
      expect(identities).toEqual(["account", "audit_entry", "delivery_attempt"]);
    }
    const later = { keyPosition: 1, isIdentity: false, column: "id" };
    const tables = tablesFrom([
      { ...later, table: "a", refersTo: ["c"] },
      { ...later, table: "b", refersTo: ["b"] },
      { ...later, table: "c", refersTo: ["b"] },
    ]);
    expect(tables.map(({ name }) => name)).toEqual(["b", "c", "a"]);
  });

  test("have no column that an insertion leaves to the database", async () => {
    const insertions = await insertionsOfStores();
    expect(insertions.length).toBeGreaterThan(1);
    for (const settings of ENGINES) {
      const tables = await tablesOf("production", settings);
      for (const { table, columns } of insertions) {
        const made = tables.find(({ name }) => name === table)?.columns ?? [];
        const given = ["id", ...columns.map(({ name }) => name)];
        // The column `external_id` has no default value, so it is NULL in an animal that is inserted without it.
        const isEmpty = (name: string) => name === "external_id" && !given.includes(name);
        expect([table, given]).toEqual([table, made.filter((name) => !isEmpty(name))]);
      }
    }
  });
});

describe("a program and migrations that it does not know", () => {
  const known = migrationsIn(["0012-baseline.sql", "0013-b.sql"], (file) => file);
  const applied = (...more: readonly JournalEntry[]) => [...known, ...more];
  const refusalOf = (journal: readonly JournalEntry[]) => {
    try {
      refuseUnknownMigrations(journal, known, "The store");
      return "none";
    } catch (error) {
      return errorMessage(error);
    }
  };

  test("runs beside those that say so, as long as none of them needs a newer one", () => {
    const refusal = (...more: readonly JournalEntry[]) => refusalOf(applied(...more));
    const added = { number: 14, name: "c", oldestProgram: 13 };
    expect(refusal(added)).toBe("none");
    expect(refusal({ ...added, oldestProgram: undefined })).toContain("applied migration 14, c");
    expect(refusal(added, { number: 15, name: "d", oldestProgram: 13 })).toBe("none");
    expect(refusal(added, { number: 15, name: "d", oldestProgram: 14 })).toContain("applied migration 15, d");
  });

  test("refuses a store of another baseline, whatever it names, and one of another program", () => {
    for (const [number, says] of [
      [1, "was made by an earlier version of petstore, which applied migration 1, first."],
      [11, "You can move its animals and categories to a new store, but not its orders, accounts and keys"],
      [13, "was last used by a newer version of petstore, which applied migration 13, first."],
      [12, "belongs to another program"],
    ] as const)
      expect(refusalOf([{ number, name: "first", oldestProgram: 12 }])).toContain(says);
  });

  test("may name only programs that are older than the migration; a baseline names none", () => {
    for (const engine of ["sqlite", "postgres"] as const)
      for (const kind of ["accounts", "store", "messages"])
        for (const [index, { number, oldestProgram }] of findMigrations(engine, kind).entries())
          if (index === 0) expect(oldestProgram).toBeUndefined();
          else expect(oldestProgram ?? 0).toBeLessThan(number);
  });

  test("leave a PostgreSQL store of an earlier baseline as it is; one command says how its animals are carried over", async () => {
    const url = await emptyDatabaseUrl();
    const sql = new SQL(url, { max: 1 });
    await sql
      .unsafe(
        `CREATE SCHEMA production; CREATE TABLE production.migration (number BIGINT PRIMARY KEY, name TEXT NOT NULL);
        INSERT INTO production.migration VALUES (1, 'pets'); CREATE TABLE production.pet (id BIGINT)`,
      )
      .simple();
    const catalogue = () => sql`SELECT relname, xmin FROM pg_class ORDER BY relname`;
    const before = await catalogue();
    const migrations = findMigrations("postgres", "store");
    await expect(openPostgres({ url, name: "production", migrations })).rejects.toThrow(
      "was made by an earlier version of petstore, which applied migration 1, pets.",
    );
    expect(await catalogue()).toEqual(before);
    await sql.close();
  });

  test("find the oldest program of each in the journal", async () => {
    const url = await emptyDatabaseUrl();
    const file = join(mkdtempSync(join(tmpdir(), "petstore-")), "production.sqlite");
    const engines = {
      sqlite: (migrations: readonly Migration[]) => openSqlite({ file, migrations }),
      postgres: (migrations: readonly Migration[]) => openPostgres({ url, name: "production", migrations }),
    };
    for (const engine of ["sqlite", "postgres"] as const) {
      const migrations = findMigrations(engine, "store");
      const baseline = migrations[0]?.number ?? 0;
      const added = {
        number: baseline + 1,
        name: "added",
        sql: "CREATE TABLE added (id BIGINT)",
        oldestProgram: baseline,
      };
      for (const [program, oldest] of [
        [migrations, [undefined]],
        [
          [...migrations, added],
          [undefined, baseline],
        ],
        [migrations, [undefined, baseline]],
      ] as const) {
        const database = await engines[engine](program);
        const journal = await database.read(selectJournal, []);
        await database.close();
        expect(journal.map(({ oldestProgram }) => oldestProgram)).toEqual([...oldest]);
      }
    }
  });
});

/** Returns all insertions that the `store.ts` files export, either directly or as part of a change. */
async function insertionsOfStores() {
  const files = [...new Bun.Glob("src/**/store.ts").scanSync({ cwd: PROJECT, absolute: true })];
  const stores = await Promise.all(files.map((file): Promise<Record<string, unknown>> => import(file)));
  const exported = stores.flatMap((store) => Object.values(store));
  return exported.map((one) => Object(one).changing ?? Object(one).creating ?? one).filter(isAnyInsertion);
}

function isAnyInsertion(value: unknown): value is Insertion<never, unknown> {
  return (
    typeof value === "object" &&
    value !== null &&
    "sql" in value &&
    isInsertion(value as Statement<never, unknown>)
  );
}
