import type { Config } from "../config.ts";
import { type Idempotency, openIdempotency } from "../http/idempotency/idempotency.ts";
import type { Clock } from "../platform/clock.ts";
import { type Database, POOLS } from "../storage/database.ts";
import { openDatabase } from "../storage/open.ts";
import type { DatabaseName } from "../storage/store-files.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics/metrics.ts";

/** What a serving process opens databases with. */
export interface DatabaseDeps {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Databases are closed with these. */
  readonly resources: AsyncDisposableStack;
  /** Called when the content of the disk is unknown: the process must end. */
  readonly onFatalIoError: () => void;
}

/** A database, and the responses stored in it for retries. */
export interface StoreHandle {
  readonly database: Database;
  readonly idempotency: Idempotency;
}

export async function openStore(name: DatabaseName, deps: DatabaseDeps): Promise<StoreHandle> {
  const database = await openInstrumentedDatabase(name, deps);
  const { clock, log, resources } = deps;
  const idempotency = await openIdempotency(database, clock, (err) =>
    log.error({ err }, "old idempotency records were not pruned"),
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
