import { randomUUIDv7, SQL } from "bun";
import { migrateAll } from "../../src/storage/open.ts";
import { startPostgres } from "./server.ts";

export interface Databases {
  /**
   * The address of the template database, which is copied for each test. It contains all tables of petstore, and no test uses it
   * directly.
   */
  readonly template: string;
  /**
   * Stops the PostgreSQL server if this run started it, and resolves to its resource usage. Otherwise, only drops the template
   * database.
   */
  remove(): Promise<Bun.ResourceUsage | undefined>;
}

/** Prepares the PostgreSQL server with this address, or starts one if no address is given. */
export async function prepareDatabases(
  named = process.env["PETSTORE_TEST_DATABASE_URL"],
): Promise<Databases> {
  const server = named ? undefined : await startPostgres();
  const url = named || (server?.url ?? "");
  const template = await createDatabase(url, "template0");
  await migrateAll({ dataDir: "", databaseUrl: template });
  return {
    template,
    async remove() {
      if (server !== undefined) return server.remove();
      await run(url, `DROP DATABASE ${new URL(template).pathname.slice(1)}`);
      return undefined;
    },
  };
}

let ours: Promise<string> | undefined;

/**
 * Returns the address of the template database, which is prepared once per run, when it is first needed. In a run of
 * scripts/test.ts, that script prepares it for all processes; otherwise, this process does.
 */
function template(): Promise<string> {
  const shared = process.env["PETSTORE_TEST_POSTGRES"];
  ours ??= shared ? askRun(shared) : prepareOurs();
  return ours;
}

async function askRun(address: string): Promise<string> {
  const answer = await fetch(address);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}

async function prepareOurs(): Promise<string> {
  const databases = await prepareDatabases();
  process.once("exit", () => void databases.remove());
  return databases.template;
}

/** Creates a database that contains all tables of petstore, and returns its address. */
export async function freshDatabaseUrl(): Promise<string> {
  const url = await template();
  return createDatabase(url, new URL(url).pathname.slice(1));
}

export async function emptyDatabaseUrl(): Promise<string> {
  return createDatabase(await template(), "template0");
}

async function createDatabase(server: string, from: string): Promise<string> {
  // The database's name is random. A counter would start again in each test file, and several files run at the same time.
  const name = `petstore_test_${randomUUIDv7().replaceAll("-", "")}`;
  await run(server, `CREATE DATABASE ${name} TEMPLATE ${from}`);
  const address = new URL(server);
  address.pathname = `/${name}`;
  return address.href;
}

/**
 * Runs a statement in a database other than the template, because a template cannot be copied while a client is connected to it.
 */
async function run(server: string, statement: string): Promise<void> {
  const address = new URL(server);
  address.pathname = "/postgres";
  const admin = new SQL(address.href, { max: 1 });
  await admin.unsafe(statement);
  await admin.close();
}

/**
 * Returns the settings of a service that uses this database. In test/extra/ha/wire-suite.long.test.ts, they include a connection
 * pooler and standbys.
 */
export function databaseSettings(address: string): Readonly<Record<string, string>> {
  const at = (server: string) => Object.assign(new URL(address), { host: server }).href;
  const pooler = process.env["PETSTORE_TEST_POOLER"];
  const replicas = process.env["PETSTORE_TEST_REPLICAS"];
  return {
    PETSTORE_DATABASE_URL: pooler ? at(pooler) : address,
    ...(pooler && { PETSTORE_DATABASE_DIRECT_URL: address }),
    ...(replicas && { PETSTORE_DATABASE_REPLICAS: replicas.split(",").map(at).join() }),
  };
}
