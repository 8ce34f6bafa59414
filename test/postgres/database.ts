import { randomUUIDv7, SQL } from "bun";
import { startPostgres } from "./server.ts";

let ours: Promise<string> | undefined;

/** A PostgreSQL to test on: the one that was named, or one of our own for as long as this process runs. */
function serverUrl(): Promise<string> {
  const named = process.env["PETSTORE_TEST_DATABASE_URL"];
  if (named) return Promise.resolve(named);
  ours ??= startPostgres().then((server) => {
    process.once("exit", () => void server.remove());
    return server.url;
  });
  return ours;
}

/** The address of a new, empty database. */
export async function freshDatabaseUrl(): Promise<string> {
  const url = await serverUrl();
  // At random: each test file counts from the start again, and several run at once.
  const name = `petstore_test_${randomUUIDv7().replaceAll("-", "")}`;
  const admin = new SQL(url, { max: 1 });
  await admin.unsafe(`CREATE DATABASE ${name}`);
  await admin.close();
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}

/** The settings that lead to a database: through a pooler, and with reads at standbys, where the tests are to run so (test/failover/wire-suite.ts). */
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
