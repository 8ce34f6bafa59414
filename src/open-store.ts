import type { Clock } from "./clock.ts";
import type { Config } from "./config.ts";
import { createIdempotency, type Idempotency } from "./http/idempotency.ts";
import type { Logger } from "./log.ts";
import type { Metrics } from "./metrics/metrics.ts";
import { type Database, POOLS } from "./storage/database.ts";
import { type DatabaseName, openDatabase } from "./storage/open.ts";

/** What it takes to open data for as long as a process serves. */
export interface Opening {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Whatever is opened closes with these. */
  readonly resources: AsyncDisposableStack;
  /** What is on the disk is not known any more: the process has to end. */
  readonly onBroken: () => void;
}

/** A database, and the answers kept in it for retries. */
export interface Store {
  readonly database: Database;
  readonly idempotency: Idempotency;
}

export async function openStore(name: DatabaseName, opening: Opening): Promise<Store> {
  const database = await openTrackedDatabase(name, opening);
  const { clock, log, resources } = opening;
  const idempotency = createIdempotency(database, clock, (err) =>
    log.error({ err }, "old records were not pruned"),
  );
  resources.defer(idempotency.close);
  return { database, idempotency };
}

export async function openTrackedDatabase(
  name: DatabaseName,
  { config, log, metrics, resources, onBroken }: Opening,
): Promise<Database> {
  const { dataDir, databaseUrl } = config;
  const { onCommit, onWait } = metrics.storage(name, databaseUrl === undefined ? [] : POOLS);
  const database = await openDatabase(name, {
    ...{ dataDir, databaseUrl, onCommit, onWait },
    onBroken(err) {
      log.error(
        { database: name, err },
        "a commit failed on the disk; nothing more is written, and the process ends",
      );
      onBroken();
    },
  });
  resources.defer(() => database.close());
  return database;
}
