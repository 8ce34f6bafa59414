import type { Config } from "../config.ts";
import type { Environment, ServiceName } from "../context.ts";
import { type EventFeed, openEventFeed } from "../events/feed.ts";
import { type Idempotency, openIdempotency } from "../http/idempotency/idempotency.ts";
import { createKeyActivity, KEY_LOG_INTERVAL_MS, type KeyActivity } from "../keys/key-activity.ts";
import { createKeyVerifier, type KeyVerifier } from "../keys/verify-key.ts";
import { IDEMPOTENCY_INTERVAL_MS } from "../limits.ts";
import type { Clock } from "../platform/clock.ts";
import type { RandomBytes } from "../platform/random.ts";
import { openRehearsal, type Rehearsal } from "../rehearsal/rehearsal.ts";
import type { ChangeFeed } from "../storage/change-feed.ts";
import { type Database, DatabaseClosedError, FileGoneError, POOLS } from "../storage/database.ts";
import { type Connections, openDatabase } from "../storage/open.ts";
import type { DatabaseName } from "../storage/store-files.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics/metrics.ts";
import type { Maintenance } from "./maintenance.ts";
import { DISK_FULL } from "./outages.ts";

export interface DatabaseDeps {
  readonly config: Config;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly resources: AsyncDisposableStack;
  readonly maintenance: Maintenance;
  /** The feed that announces changes by other processes. Undefined for embedded databases, because only one process uses them. */
  readonly changes: ChangeFeed | undefined;
  /** The connections to the database server. Undefined for embedded databases. */
  readonly connections: Connections | undefined;
  readonly stores: Map<DatabaseName, Database>;
  /** The databases that were closed because of a disk error. They stay closed until the next start. */
  readonly closed: Set<DatabaseName>;
  readonly onAnswer: () => void;
  /**
   * Called if a commit could not be written to disk (nobody knows then what the disk contains), or if a database file is gone.
   */
  readonly onFatalIoError: (database: DatabaseName, error: unknown) => void;
}

/**
 * Handles fatal disk errors, and logs the first one. If the commit failed in staging or messages, only that database is closed. In
 * every other case, the process ends.
 */
export function handleFatalIoError(
  { log, stores, closed }: Pick<DatabaseDeps, "log" | "stores" | "closed">,
  names: readonly ServiceName[],
  end: () => void,
): DatabaseDeps["onFatalIoError"] {
  let isEnding = false;
  return (database, err) => {
    if (isEnding || closed.has(database)) return;
    closed.add(database);
    stores.delete(database);
    const isGone = err instanceof FileGoneError;
    isEnding =
      isGone || !["staging", "messages"].includes(database) || names.every((one) => one === database);
    if (isGone)
      log.error(
        { database, err },
        "a database file was removed or replaced; nothing more is written, and the process ends",
      );
    else if (isEnding)
      log.error(
        { database, err },
        "the disk failed while a change was written; nothing more is written, and the process ends",
      );
    else
      log.error(
        { database, err },
        "the disk failed while a change was written; this service is closed, and the others continue; check the disk, then restart petstore",
      );
    if (isEnding) end();
  };
}

export interface StoreHandle {
  readonly database: Database;
  readonly idempotency: Idempotency;
  /** The test clock and the store id. Present only in staging. */
  readonly rehearsal?: Rehearsal;
}

export async function openStore(name: DatabaseName, deps: DatabaseDeps): Promise<StoreHandle> {
  const database = await openInstrumentedDatabase(name, deps);
  const { clock, maintenance, stores } = deps;
  stores.set(name, database);
  const rehearsal = name === "staging" ? await startRehearsal(database, deps) : undefined;
  const idempotency = await openIdempotency(database, clock, rehearsal);
  maintenance.add({
    name: "idempotency records",
    everyMs: IDEMPOTENCY_INTERVAL_MS,
    run: idempotency.saveTime,
    isLast: true,
  });
  return { database, idempotency, ...(rehearsal && { rehearsal }) };
}

async function startRehearsal(database: Database, { log, resources }: DatabaseDeps): Promise<Rehearsal> {
  const rehearsal = await openRehearsal(database, (err) =>
    log.error({ err }, "the test clock could not be read; will retry"),
  );
  resources.defer(rehearsal.close);
  return rehearsal;
}

export async function openInstrumentedDatabase(
  name: DatabaseName,
  { config, log, metrics, resources, changes, connections, onAnswer, onFatalIoError }: DatabaseDeps,
): Promise<Database> {
  const { dataDir, databaseUrl, databaseDirectUrl, databaseReplicas, databaseSchemaPrefix } = config;
  const { onCommit, onWait } = metrics.storage(name, databaseUrl === undefined ? [] : POOLS);
  const database = await openDatabase(name, {
    ...{ dataDir, databaseUrl, databaseDirectUrl, databaseReplicas, databaseSchemaPrefix },
    ...{ onWait, onAnswer, changes, connections },
    onCommit(work, seconds) {
      onCommit(work, seconds);
      onAnswer();
    },
    onFatalIoError: (error) => onFatalIoError(name, error),
    onDiskFull: (err) => log.error({ err }, DISK_FULL.begins),
  });
  resources.defer(() => database.close());
  return database;
}

const EVENTS_POLL_MS = 1_000; // interval at which open streams poll for new events, if the database engine does not announce them

export async function openFeed(
  database: Database,
  environment: Environment,
  { log, maintenance, resources }: DatabaseDeps,
): Promise<EventFeed> {
  const onError = (err: unknown) => {
    if (!(err instanceof DatabaseClosedError))
      log.error({ err, environment }, "new events could not be read; will retry");
  };
  const feed = await openEventFeed({ database, environment, onError });
  const run = () =>
    feed.readOn().catch((error) => {
      if (error instanceof DatabaseClosedError) feed.expire();
      throw error;
    });
  maintenance.add({ name: `new events of ${environment}`, everyMs: EVENTS_POLL_MS, run });
  resources.defer(feed.close);
  return feed;
}

export interface KeyDeps {
  readonly verifier: KeyVerifier;
  readonly activity: KeyActivity;
}

export async function openKeys(
  accounts: Database,
  { clock, metrics, maintenance, resources }: DatabaseDeps,
): Promise<KeyDeps> {
  const activity = createKeyActivity(accounts);
  maintenance.add({
    name: "recent uses and request counts of API keys",
    everyMs: KEY_LOG_INTERVAL_MS,
    run: activity.flush,
    isLast: true,
  });
  const verifier = await createKeyVerifier(accounts, clock, metrics.countKeyCheck);
  resources.defer(verifier.close);
  return { verifier, activity };
}
