import type { Config } from "../config.ts";
import { createIdempotency, type Idempotency } from "../http/idempotency/idempotency.ts";
import type { Clock } from "../platform/clock.ts";
import { type Database, POOLS } from "../storage/database.ts";
import { type DatabaseName, openDatabase } from "../storage/open.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics/metrics.ts";

/** What it takes to open data for as long as a process serves. */
export interface DatabaseDeps {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Whatever is opened closes with these. */
  readonly resources: AsyncDisposableStack;
  /** What is on the disk is not known any more: the process has to end. */
  readonly onFatalIoError: () => void;
}

/** A database, and the answers kept in it for retries. */
export interface StoreHandle {
  readonly database: Database;
  readonly idempotency: Idempotency;
}

export async function openStore(name: DatabaseName, opening: DatabaseDeps): Promise<StoreHandle> {
  const database = await openInstrumentedDatabase(name, opening);
  const { clock, log, resources } = opening;
  const idempotency = createIdempotency(database, clock, (err) =>
    log.error({ err }, "old records were not pruned"),
  );
  resources.defer(idempotency.close);
  return { database, idempotency };
}

export async function openInstrumentedDatabase(
  name: DatabaseName,
  { config, log, metrics, resources, onFatalIoError }: DatabaseDeps,
): Promise<Database> {
  const { dataDir, databaseUrl } = config;
  const { onCommit, onWait } = metrics.storage(name, databaseUrl === undefined ? [] : POOLS);
  const database = await openDatabase(name, {
    ...{ dataDir, databaseUrl, onCommit, onWait },
    onFatalIoError(err) {
      log.error(
        { database: name, err },
        "a commit failed on the disk; nothing more is written, and the process ends",
      );
      onFatalIoError();
    },
  });
  resources.defer(() => database.close());
  return database;
}
