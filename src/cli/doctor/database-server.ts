import { type Config, SETTINGS } from "../../config.ts";
import { errorMessage } from "../../errors.ts";
import { parseDatabaseUrl } from "../../platform/database-url.ts";
import {
  inspectPooler,
  inspectReplica,
  readReplication,
  readServerMigrations,
  readServerTime,
} from "../../storage/inspected-server.ts";
import { MigrationError } from "../../storage/migrations.ts";
import type { Replication } from "../../storage/replication.ts";
import { DATABASE_NAMES, type DatabaseName } from "../../storage/store-files.ts";
import { type CheckResult, fail, ok, warn } from "./check-result.ts";
import { compareWithServer } from "./clock.ts";
import { judgeMigrations } from "./migrations.ts";

const SYNCHRONOUS = ["on", "remote_apply"];

/** Checks a store on a database server: databases, pooler, replication, standbys and clock. */
export async function checkDatabaseServer(config: Config, now: number): Promise<readonly CheckResult[]> {
  const { databaseUrl: url, databaseDirectUrl: direct, databaseReplicas = [] } = config;
  if (url === undefined) return [];
  const server = direct ?? url;
  return [
    ...(await Promise.all(DATABASE_NAMES.map((name) => checkDatabase(name, server)))),
    ...(direct === undefined ? [] : [await checkPooler(url, direct)]),
    await checkReplication(server),
    ...(await Promise.all(databaseReplicas.map(checkReplica))),
    await checkClock(server, now),
  ];
}

async function checkDatabase(name: DatabaseName, server: string): Promise<CheckResult> {
  const check = `database ${name}`;
  try {
    return judgeMigrations(check, await readServerMigrations(server, name));
  } catch (error) {
    const advice =
      error instanceof MigrationError
        ? "Nothing is lost."
        : "Check that the server is running, and the address, user and password in PETSTORE_DATABASE_URL.";
    return fail(check, errorMessage(error), advice);
  }
}

/** Checks that the pooler leads to the migrated database. */
async function checkPooler(url: string, directUrl: string): Promise<CheckResult> {
  try {
    const { server, keepsNames } = await inspectPooler(url, directUrl);
    const names = keepsNames
      ? "statements are prepared by name"
      : "statements are not prepared by name (PgBouncer from 1.21 on with max_prepared_statements lets them)";
    return ok("pooler", `${server} leads to the same database; ${names}`);
  } catch (error) {
    const { databaseUrl: pooled, databaseDirectUrl: direct } = SETTINGS;
    return fail("pooler", errorMessage(error), `Check ${pooled.variable} and ${direct.variable}.`);
  }
}

/** Checks that an acknowledged change outlives the database server. */
async function checkReplication(server: string): Promise<CheckResult> {
  const hasSeveralServers = (parseDatabaseUrl(server)?.servers.length ?? 0) > 1;
  try {
    return judge(await readReplication(server), hasSeveralServers);
  } catch (error) {
    return fail("replication", `cannot be read: ${errorMessage(error)}`, "See the database checks.");
  }
}

function judge(
  { server, commits, required, standbys, synchronous }: Replication,
  hasSeveralServers: boolean,
): CheckResult {
  const check = "replication";
  if (commits === "off")
    return warn(
      check,
      `${server} acknowledges changes that are not on its disk: a crash loses them`,
      "Set synchronous_commit=on there, also where its database or user has another value.",
    );
  if (standbys === 0 && required === "" && !hasSeveralServers) return ok(check, `${server} has no standby`);
  if (required === "" || !SYNCHRONOUS.includes(commits))
    return warn(
      check,
      `${server} acknowledges changes alone, before a standby has them: a failover loses them`,
      "Set synchronous_standby_names and synchronous_commit=on there (docs/guides/scale).",
    );
  if (standbys === 0)
    return fail(
      check,
      `${server} waits for ${required}, and no standby is connected: each change is answered 503`,
      "Connect a standby.",
    );
  const count = synchronous === 0 ? "" : ` (${synchronous} of ${standbys} connected)`;
  return ok(check, `${server} acknowledges a change once ${required} has it${count}`);
}

async function checkReplica(url: string): Promise<CheckResult> {
  const check = `replica ${parseDatabaseUrl(url)?.shown}`;
  try {
    const { isStandby } = await inspectReplica(url);
    if (isStandby) return ok(check, "is a standby that can be read at");
    return fail(check, "is not a standby", `Remove it from ${SETTINGS.databaseReplicas.variable}.`);
  } catch (error) {
    return warn(
      check,
      `cannot be read at: ${errorMessage(error)}`,
      "Reads go to the other servers meanwhile.",
    );
  }
}

async function checkClock(server: string, now: number): Promise<CheckResult> {
  try {
    return compareWithServer(now, await readServerTime(server));
  } catch (error) {
    return fail("clock", `cannot be compared: ${errorMessage(error)}`, "See the database checks.");
  }
}
