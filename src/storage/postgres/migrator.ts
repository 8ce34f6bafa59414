import type { ReservedSQL } from "bun";
import { errorMessage } from "../../errors.ts";
import { parseDatabaseUrl } from "../../platform/database-url.ts";
import type { Migration } from "../migrations.ts";
import {
  countMigrations,
  type JournalEntry,
  MigrationError,
  type Migrator,
  migrate,
  selectJournal,
} from "../migrations.ts";
import type { Replication } from "../replication.ts";
import { members, numberColumn, singleRow, textColumn } from "../row.ts";
import { inOrder, type Row, type Statement, statement, type Values } from "../statement.ts";
import { connectionAdvice } from "./connection-advice.ts";
import {
  DeadlineError,
  isDriverError,
  isLockTimeout,
  isOutOfConnections,
  NotPrimaryError,
  SharedSessionError,
} from "./errors.ts";
import { type Primary, primaryAt } from "./primary.ts";
import { createQualifier } from "./qualifier.ts";
import { type Connection, timeOf } from "./session.ts";

const MIGRATION_LOCK_WAIT_MS = 300; // longest time that a migration waits for a lock; it is short, because all other requests wait behind the migration
const MIGRATION_PAUSE_MS = 1_000; // pause before a migration is tried again
const MIGRATION_DEADLINE_MS = 60_000; // deadline for a migration, including all of its attempts; if it is missed, the service does not start

const SLOT_TRIES_MAX = 10; // number of further attempts to connect if the server has no free connection
const SLOT_PAUSE_MS = 50; // pause before each further attempt to connect to a server that had no free connection

/** The first part of the advisory lock's key. The lock allows only one process at a time to migrate a schema. */
const MIGRATION_LOCK = 7_378_697_629_483_820_646n;

/**
 * Creates or migrates a schema, while other processes may be doing the same. If the schema is up to date, it is only read,
 * because the server may be read-only, or the user may not be allowed to create anything.
 *
 * @returns the names of the schema's tables and views
 */
export async function migrateSchema(
  url: string,
  schema: string,
  migrations: readonly Migration[],
): Promise<readonly string[]> {
  const address = `The schema ${schema} at ${hostsOf(url)}`;
  const migrateOnce = async (connection: ReservedSQL) => {
    const journal = await readJournal(connection, schema);
    if (countMigrations(journal, migrations, address).pending > 0)
      await migrate(createMigrator(connection, schema), migrations, address);
    const tables = await connection.unsafe<{ name: string }[]>(
      `SELECT tablename::text AS name FROM pg_tables WHERE schemaname = $1
        UNION ALL SELECT viewname::text FROM pg_views WHERE schemaname = $1`,
      [schema],
    );
    return tables.map(({ name }) => name);
  };
  return retryLockTimeouts(() => withConnection(url, migrateOnce), address);
}

/**
 * Retries a migration that could not get a lock in time. While a migration waits for a lock, all requests wait behind it. Each
 * attempt therefore gives up soon, and lets these requests pass.
 *
 * @throws MigrationError if no attempt got the lock
 */
async function retryLockTimeouts<Result>(run: () => Promise<Result>, address: string): Promise<Result> {
  const endsAt = performance.now() + MIGRATION_DEADLINE_MS;
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (performance.now() > endsAt)
        throw new MigrationError(
          `${address} could not be migrated within ${MIGRATION_DEADLINE_MS / 1000} s: another transaction has locked its tables. End that transaction (the view pg_stat_activity lists all transactions), and start the service again.`,
          { cause: error },
        );
      await Bun.sleep(MIGRATION_PAUSE_MS);
    }
  }
}

export async function readPostgresJournal(url: string, schema: string): Promise<readonly JournalEntry[]> {
  return withConnection(url, (connection) => readJournal(connection, schema));
}

async function readJournal(connection: ReservedSQL, schema: string): Promise<readonly JournalEntry[]> {
  const [found] = await connection.unsafe<{ name: string | null }[]>("SELECT to_regclass($1)::text AS name", [
    `${schema}.migration`,
  ]);
  if (!found?.name) return [];
  const { sql, decode } = createQualifier(schema, ["migration"])(selectJournal);
  return (await connection.unsafe<Row[]>(sql)).map(decode);
}

export async function readPostgresRows<Given extends Values, Result>(
  url: string,
  schema: string,
  wanted: Statement<Given, Result>,
  values: NoInfer<Given>,
): Promise<readonly Result[]> {
  return withConnection(url, async (connection) => {
    const tables = await connection.unsafe<{ name: string }[]>(
      "SELECT tablename::text AS name FROM pg_tables WHERE schemaname = $1",
      [schema],
    );
    const qualify = createQualifier(
      schema,
      tables.map(({ name }) => name),
    );
    const rows = await connection.unsafe<Row[]>(qualify(wanted).sql, [...inOrder(wanted, values)]);
    return rows.map(wanted.decode);
  });
}

export async function readPostgresTime(url: string): Promise<number> {
  return withConnection(url, (connection) => timeOf(connection));
}

const selectReplication: Statement<[], Omit<Replication, "server">> = statement(
  `SELECT current_setting('synchronous_commit') AS commits, current_setting('synchronous_standby_names') AS required,
    count(*) AS standbys, count(*) FILTER (WHERE sync_state IN ('sync', 'quorum')) AS synchronous
  FROM pg_stat_replication`,
  members({
    commits: textColumn,
    required: textColumn,
    standbys: numberColumn,
    synchronous: numberColumn,
  }),
);

export async function readPostgresReplication(url: string): Promise<Replication> {
  return withConnection(url, async (connection) => {
    const rows = await connection.unsafe<Row[]>(selectReplication.sql);
    const { host } = new URL(primaryAt(url).server());
    return { server: host, ...singleRow(rows.map(selectReplication.decode)) };
  });
}

/** Runs `work` on a new connection. @throws Error for the operator, without the password, if the server cannot be used */
export async function withConnection<Result>(
  url: string,
  work: (connection: ReservedSQL) => Promise<Result>,
  direct = url,
): Promise<Result> {
  let connection: Connection | undefined;
  try {
    connection = await connectOnceFree(primaryAt(url, direct));
    return await work(connection.sql);
  } catch (error) {
    const advice = connectionAdvice(error);
    const isUnusable =
      advice !== undefined ||
      isDriverError(error) ||
      error instanceof NotPrimaryError ||
      error instanceof SharedSessionError ||
      error instanceof DeadlineError;
    if (!isUnusable || isLockTimeout(error)) throw error;
    const remedy = advice === undefined ? "" : ` ${advice}.`;
    throw new Error(`The database at ${hostsOf(url)} cannot be used: ${errorMessage(error)}.${remedy}`, {
      cause: error,
    });
  } finally {
    await connection?.close();
  }
}

/**
 * Connects, and tries again if the server has no free connection. After a session has ended, the server needs a moment before its
 * connection is free again.
 */
async function connectOnceFree(primary: Primary): Promise<Connection> {
  for (let tries = 0; ; tries++) {
    try {
      return await primary.connect(MIGRATING);
    } catch (error) {
      if (!isOutOfConnections(error) || tries === SLOT_TRIES_MAX) throw error;
      await Bun.sleep(SLOT_PAUSE_MS);
    }
  }
}

/**
 * The session settings for a migration. They switch the server's timeouts off, because a migration may take as long as it needs.
 */
const MIGRATING = {
  application_name: "petstore migrate",
  client_min_messages: "warning",
  statement_timeout: "0",
  idle_in_transaction_session_timeout: "0",
};

/** Returns the hosts and ports in a database's URL, as they appear in messages. */
export function hostsOf(url: string): string {
  return parseDatabaseUrl(url)?.shown.split("/")[0] ?? "";
}

export const CREATE_JOURNAL = `CREATE TABLE IF NOT EXISTS migration (
      number BIGINT PRIMARY KEY,
      name TEXT NOT NULL,
      oldest_program BIGINT,
      applied_at TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP
    )`;

function createMigrator(connection: ReservedSQL, schema: string): Migrator {
  const script = async (text: string) => {
    await connection.unsafe(text).simple();
  };
  return {
    createJournal: CREATE_JOURNAL,
    async begin() {
      await script(`BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('${schema}', ${MIGRATION_LOCK}))`);
      await script(
        `DO $$ BEGIN
        IF current_setting('server_encoding') NOT IN ('UTF8', 'SQL_ASCII') THEN
          RAISE 'its encoding % cannot store all names. Create another database with createdb --encoding=UTF8 --template=template0', current_setting('server_encoding');
        END IF;
        IF to_regnamespace('${schema}') IS NULL THEN CREATE SCHEMA ${schema}; END IF;
        END $$; SET LOCAL lock_timeout = ${MIGRATION_LOCK_WAIT_MS}; SET LOCAL search_path TO ${schema}`,
      );
    },
    commit: () => script("COMMIT"),
    rollback: () => script("ROLLBACK"),
    script,
    async query(statement, values) {
      const rows = await connection.unsafe<Row[]>(statement.sql, [...inOrder(statement, values)]);
      return rows.map(statement.decode);
    },
  };
}
