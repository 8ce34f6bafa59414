import { type ReservedSQL, SQL } from "bun";
import { CONNECT_DEADLINE_SECONDS } from "../limits.ts";
import type { Row } from "./database.ts";
import { type Migrator, migrate } from "./migrate.ts";
import type { Migration } from "./migrations/migration.ts";
import { isDriverError } from "./postgres-errors.ts";

/** Schemas are migrated by one process at a time: by the one that holds this lock. */
const MIGRATION_LOCK = 7_378_697_629_483_820_646n;

/** Makes the schema when it is missing, and brings its tables up to date. Any number of processes may start at once. */
export async function migrateSchema(
  url: string,
  schema: string,
  migrations: readonly Migration[],
): Promise<void> {
  const sql = new SQL({
    url,
    max: 1,
    bigint: true,
    connectionTimeout: CONNECT_DEADLINE_SECONDS,
    connection: { application_name: "petstore migrate", client_min_messages: "warning" },
  });
  const { host } = new URL(url);
  try {
    const connection = await sql.reserve();
    await migrate(createMigrator(connection, schema), migrations, `The schema ${schema} at ${host}`);
    await connection.release();
  } catch (error) {
    if (!isDriverError(error)) throw error;
    throw new Error(`The database at ${host} cannot be used: ${error.message}.`, { cause: error });
  } finally {
    await sql.close({ timeout: 0 });
  }
}

function createMigrator(connection: ReservedSQL, schema: string): Migrator {
  const script = async (text: string): Promise<void> => {
    await connection.unsafe(text).simple();
  };
  return {
    createJournal: `CREATE TABLE IF NOT EXISTS migration (
      number BIGINT PRIMARY KEY,
      name TEXT NOT NULL,
      applied_at TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP
    )`,
    async begin() {
      await script(`BEGIN; SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
      await script(`CREATE SCHEMA IF NOT EXISTS ${schema}; SET LOCAL search_path TO ${schema}`);
    },
    commit: () => script("COMMIT"),
    rollback: () => script("ROLLBACK"),
    script,
    async query(statement, values = []) {
      const rows = await connection.unsafe<Row[]>(statement.sql, [...values]);
      return rows.map(statement.decode);
    },
  };
}
