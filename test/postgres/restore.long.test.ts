import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { ID_GAP } from "../../src/limits.ts";
import { debianPostgres } from "../machine.ts";
import { createTestApp } from "../test-app.ts";
import { petstore } from "../wire/process.ts";
import { type PostgresServer, startPostgres } from "./server.ts";

// After pg_restore, as after `petstore restore`, no identifier is assigned a second time. PostgreSQL comes from Debian here,
// because the npm package does not include pg_restore.

const programs = debianPostgres() ?? "";
let first: PostgresServer;
let second: PostgresServer;
let folder: string;
beforeAll(async () => {
  [first, second] = await Promise.all([startPostgres({ programs }), startPostgres({ programs })]);
  folder = mkdtempSync(join(tmpdir(), "petstore-dump-"));
});
afterAll(async () => {
  await Promise.all([first.remove(), second.remove()]);
  rmSync(folder, { recursive: true });
});

async function createDatabase(server: PostgresServer, name: string): Promise<string> {
  const admin = new SQL(server.url, { max: 1 });
  await admin.unsafe(`CREATE DATABASE ${name} TEMPLATE template0`);
  await admin.close();
  return server.url.replace(/postgres$/, name);
}

const run = (tool: string, ...args: readonly string[]) =>
  Bun.$`${join(programs, "bin", tool)} ${args}`.quiet();
const FILE = () => join(folder, "petstore.dump");
const dump = (url: string) =>
  run("pg_dump", "--format=custom", "--extension=plpgsql", `--file=${FILE()}`, url);
const restore = (url: string, ...args: readonly string[]) =>
  run("pg_restore", "--no-owner", "--exit-on-error", ...args, `--dbname=${url}`, FILE());

interface Added {
  readonly pets: readonly number[];
  readonly category: number;
  readonly event: number;
}

/**
 * Starts a service on the store, and adds animals and a category. Returns their identifiers and the identifier of the last event.
 */
async function add(databaseUrl: string, count: number, settings = {}): Promise<Added> {
  const app = await createTestApp({}, { databaseUrl, ...settings });
  const { token: key } = await app.makeKey();
  const create = async (path: string, body: string): Promise<number> =>
    (await app.ask("production", `POST /v1/${path}`, { key, body })).json.id;
  const pets: number[] = [];
  for (let number = 0; number < count; number++)
    pets.push(await create("pets", '{"name":"Rex","categoryId":1}'));
  const category = await create("categories", '{"name":"Cats"}');
  const [{ id: event }] = (await app.ask("production", "GET /v1/events?limit=1", { key })).json;
  await app.close();
  return { pets, category, event };
}

test("identifiers continue a billion higher in another database and in another cluster, once", async () => {
  const url = await createDatabase(first, "shop");
  expect((await add(url, 3)).pets).toEqual([1, 2, 3]);
  await dump(url);
  const lost = await add(url, 2);
  expect(lost.pets).toEqual([4, 5]);
  for (const server of [first, second]) {
    const target = await createDatabase(server, "restored");
    await restore(target);
    const { pets, category, event } = await add(target, 1);
    expect(pets).toEqual([ID_GAP + 4]);
    expect(category).toBeGreaterThan(lost.category);
    expect(event).toBeGreaterThan(lost.event);
    expect((await add(target, 1)).pets).toEqual([ID_GAP + 5]);
  }
  expect((await add(url, 1)).pets).toEqual([6]);
});

test("a role that may create no schemas restores one of several stores into its schemas, and leaves the other store unchanged", async () => {
  const url = new URL(await createDatabase(first, "mall"));
  const admin = new SQL(url.href, { max: 1 });
  const schemas = (prefix: string) =>
    ["accounts", "production", "staging", "messages"].map((name) => prefix + name);
  await admin.unsafe("CREATE ROLE tenant LOGIN");
  for (const schema of [...schemas("shopa_"), ...schemas("shopb_")])
    await admin.unsafe(`CREATE SCHEMA ${schema} AUTHORIZATION tenant`);
  await admin.close();
  url.username = "tenant";
  const to = (databaseSchemaPrefix: string, count: number) => add(url.href, count, { databaseSchemaPrefix });
  await to("shopa_", 3);
  await to("shopb_", 3);
  await run(
    "pg_dump",
    "--format=custom",
    "--schema=shopa_(accounts|production|staging|messages)",
    `--file=${FILE()}`,
    url.href,
  );
  await to("shopa_", 2);
  const named = schemas("shopa_").map((schema) => `--schema=${schema}`);
  await restore(url.href, "--single-transaction", "--clean", "--if-exists", ...named);
  expect((await to("shopa_", 1)).pets).toEqual([ID_GAP + 4]);
  expect((await to("shopb_", 1)).pets).toEqual([4]);
});

test("petstore doctor --accept-loss raises identifiers after a restore of only the data, which cannot be detected", async () => {
  const url = await createDatabase(first, "data_alone");
  await add(url, 3);
  await dump(url);
  await add(url, 2);
  const admin = new SQL(url, { max: 1 });
  const schemas = ["accounts", "production", "staging", "messages"];
  for (const schema of schemas)
    await admin.unsafe(
      `DO $$ BEGIN EXECUTE (SELECT 'TRUNCATE ' || string_agg(format('%I.%I', schemaname, tablename), ', ')
        FROM pg_tables WHERE schemaname = '${schema}'); END $$`,
    );
  await admin.close();
  await restore(url, "--data-only", "--disable-triggers");
  const store = { dataDir: "", settings: { PETSTORE_DATABASE_URL: url } };
  const { code, err } = await petstore(store, ["doctor", "--accept-loss"]);
  expect([code, err]).toEqual([
    0,
    expect.stringContaining("New identifiers in production start 1000000000 higher than before."),
  ]);
  expect((await add(url, 1)).pets).toEqual([ID_GAP + 4]);
});
