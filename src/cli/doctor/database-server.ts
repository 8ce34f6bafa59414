import { SETTINGS } from "../../config/settings.ts";
import type { Config } from "../../config.ts";
import { errorMessage } from "../../errors.ts";
import { systemClock } from "../../platform/clock.ts";
import { isLocalServer, parseDatabaseUrl } from "../../platform/database-url.ts";
import {
  inspectCreation,
  inspectEncryption,
  inspectPooler,
  inspectReplica,
  inspectRights,
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

const UNUSABLE =
  "Check that the server is running. Also check the address, user and password in PETSTORE_DATABASE_URL.";
const CHECK_BOTH = `Check ${SETTINGS.databaseUrl.variable} and ${SETTINGS.databaseDirectUrl.variable}.`;
const SYNCHRONOUS = ["on", "remote_apply"];

/** Checks a store on a database server: the databases, the pooler, replication, the standbys and the clock. */
export async function checkDatabaseServer(config: Config): Promise<readonly CheckResult[]> {
  const { databaseUrl: url, databaseDirectUrl: direct, databaseReplicas = [] } = config;
  if (url === undefined) return [];
  const server = direct ?? url;
  const databases = await inTurn(DATABASE_NAMES, (name) =>
    attempt(`database ${name}`, checkDatabase(name, config, url), UNUSABLE),
  );
  const [first, ...others] = databases;
  // If the database server cannot be used, every check fails with the same message. In that case, a single failure is reported.
  if (first?.state === "fail" && others.every(({ message }) => message === first.message))
    return [{ ...first, check: "database server" }];
  return [
    ...databases,
    ...(direct === undefined ? [] : [await attempt("pooler", checkPooler(url, direct), CHECK_BOTH)]),
    ...(await checkEncryption(config, url)),
    await attempt("replication", checkReplication(server), "See the database checks."),
    ...(await inTurn(databaseReplicas, (replica) => checkReplica(replica, server))),
    await attempt("clock", checkClock(server), "See the database checks."),
  ];
}

/**
 * Waits for the result of a check. If the check throws an error, returns a failed check with the error's message. If this message
 * ends with a remedy (`Set …`, `Grant …`), the remedy is shown instead of `advice`.
 */
async function attempt(check: string, result: Promise<CheckResult>, advice: string): Promise<CheckResult> {
  try {
    return await result;
  } catch (error) {
    const [message = "", remedy = error instanceof MigrationError ? "Nothing was changed." : advice] =
      errorMessage(error).split(/\. (?=(?:Set|Grant) )/);
    return fail(check, message, remedy);
  }
}

async function checkDatabase(
  name: DatabaseName,
  { databaseDirectUrl: direct, databaseSchemaPrefix: prefix }: Config,
  url: string,
): Promise<CheckResult> {
  const server = direct ?? url;
  const migrated = await readServerMigrations(server, name, prefix);
  if (migrated.applied === 0) await inspectCreation(server, prefix + name);
  if (direct !== undefined) await inspectRights(url, direct, prefix + name);
  return judgeMigrations(`database ${name}`, migrated);
}

/** Checks that the pooler connects to the database that petstore has migrated. */
async function checkPooler(url: string, directUrl: string): Promise<CheckResult> {
  const { server, keepsNames } = await inspectPooler(url, directUrl);
  const names = keepsNames
    ? "prepared statements are used"
    : "prepared statements are not used (PgBouncer supports them from version 1.21 on, if max_prepared_statements is set)";
  return ok("pooler", `${server} leads to the same database as PETSTORE_DATABASE_DIRECT_URL; ${names}`);
}

/**
 * Reports for each address whether the connection is encrypted. Warns if anybody on the network could read or forge the traffic.
 */
async function checkEncryption(
  { databaseDirectUrl: direct, databaseReplicas = [] }: Config,
  url: string,
): Promise<readonly CheckResult[]> {
  const addresses = [
    { variable: SETTINGS.databaseUrl.variable, look: () => inspectEncryption(url, direct) },
    ...(direct === undefined
      ? []
      : [{ variable: SETTINGS.databaseDirectUrl.variable, look: () => inspectEncryption(direct) }]),
    ...databaseReplicas.map((replica) => ({
      variable: SETTINGS.databaseReplicas.variable,
      look: () => inspectEncryption(replica),
    })),
  ];
  return inTurn(addresses, ({ variable, look }) =>
    attempt(
      "encryption",
      look().then((found) => judgeEncryption(variable, found)),
      "See the database checks.",
    ),
  );
}

/** Runs checks one after the other, because the server may have only one connection left. */
async function inTurn<Subject>(
  subjects: readonly Subject[],
  check: (subject: Subject) => Promise<CheckResult>,
): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  for (const subject of subjects) results.push(await check(subject));
  return results;
}

function judgeEncryption(
  variable: string,
  { server, encryption }: Awaited<ReturnType<typeof inspectEncryption>>,
): CheckResult {
  const check = "encryption";
  const message = `connections to ${server.host} use ${encryption}`;
  if (encryption === "verified TLS" || isLocalServer(server)) return ok(check, message);
  const danger =
    encryption === "clear text"
      ? "the connection is not encrypted, so anybody who can read the network traffic sees the password and the data"
      : "the server's certificate is not checked, so another server could pretend to be this one";
  return warn(
    check,
    `${message}: ${danger}`,
    `Set sslmode=verify-full in ${variable}, with sslrootcert=FILE unless a public authority signed the server's certificate (docs/guides/managed-database).`,
  );
}

/** Checks that acknowledged changes survive the loss of the database server. */
async function checkReplication(server: string): Promise<CheckResult> {
  const hasSeveralServers = (parseDatabaseUrl(server)?.servers.length ?? 0) > 1;
  return judge(await readReplication(server), hasSeveralServers);
}

function judge(
  { server, commits, required, standbys, synchronous }: Replication,
  hasSeveralServers: boolean,
): CheckResult {
  const check = "replication";
  if (commits === "off")
    return warn(
      check,
      `${server} acknowledges changes that are not on its disk yet, so a crash would lose those changes`,
      "Set synchronous_commit = on for this server, and for every database and user that has its own setting.",
    );
  if (standbys === 0 && required === "" && !hasSeveralServers) return ok(check, `${server} has no standby`);
  if (required === "" || !SYNCHRONOUS.includes(commits))
    return warn(
      check,
      `${server} acknowledges changes before a standby has them, so a failover would lose those changes`,
      "Set synchronous_standby_names and synchronous_commit=on on this server (docs/guides/scale).",
    );
  if (standbys === 0)
    return fail(
      check,
      `${server} waits for ${required}, and no standby is connected, so every change is refused with 503`,
      "Connect a standby.",
    );
  const count = synchronous === 0 ? "" : ` (${synchronous} of ${standbys} connected)`;
  return ok(check, `${server} acknowledges a change only when ${required} has stored it too${count}`);
}

async function checkReplica(url: string, primary: string): Promise<CheckResult> {
  const check = `replica ${parseDatabaseUrl(url)?.shown}`;
  try {
    const role = await inspectReplica(url, primary);
    if (role === "standby") return ok(check, "this server is a standby that can answer reads");
    if (role === "primary")
      return ok(check, "this server is the primary now, so the service does not use it as a standby");
    return fail(check, "is not a standby", `Remove it from ${SETTINGS.databaseReplicas.variable}.`);
  } catch (error) {
    return warn(
      check,
      `cannot answer reads: ${errorMessage(error)}`,
      "Until this server can answer reads, the other servers answer them.",
    );
  }
}

async function checkClock(server: string): Promise<CheckResult> {
  return compareWithServer(systemClock, () => readServerTime(server));
}
