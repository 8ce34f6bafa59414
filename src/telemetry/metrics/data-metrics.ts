import { Counter, type Registry } from "prom-client";
import type { ServerState } from "../../platform/server-state.ts";
import { registerGauge, registerGaugeBy } from "./instruments.ts";

/** Registers the metrics of backups. @returns a function that counts a scheduled backup; call it after each one */
export function registerBackupMetrics(
  registry: Registry,
  intervalSeconds: number,
  ageSeconds: () => number,
): (outcome: "made" | "failed") => void {
  registerGauge(
    registry,
    "petstore_backup_interval_seconds",
    "Time between scheduled backups (PETSTORE_BACKUP_EVERY).",
    () => intervalSeconds,
    "min",
  );
  registerGauge(
    registry,
    "petstore_backup_age_seconds",
    "Time since the start of the last backup that passed its check. Before the first backup, this is the time since the service started.",
    ageSeconds,
    "min",
  );
  const backups = new Counter({
    name: "petstore_backups_total",
    help: "Number of scheduled backups, by outcome.",
    labelNames: ["outcome"],
    registers: [registry],
  });
  for (const outcome of ["made", "failed"]) backups.inc({ outcome }, 0);
  return (outcome) => backups.inc({ outcome });
}

/** Registers a gauge for damage in databases. @param problems returns the number of problems in each database */
export function registerDamageMetric(
  registry: Registry,
  problems: () => readonly (readonly [database: string, count: number])[],
): void {
  const help =
    "Number of problems that the last full check found in a database. A failed commit adds one problem.";
  registerGaugeBy(registry, "database", "petstore_damage_problems", help, problems);
}

/** Registers the metrics of the database server. If several processes see different states, the worst one is reported. */
export function registerServerMetrics(registry: Registry, state: () => ServerState): void {
  registerGauge(
    registry,
    "petstore_database_reachable",
    "1 if the database server answers on an open connection; otherwise 0.",
    () => Number(state().isReachable),
    "min",
  );
  registerGauge(
    registry,
    "petstore_database_writable",
    "1 if the database server is reachable and accepts changes; otherwise 0, for example in a read-only phase.",
    () => Number(state().isWritable),
    "min",
  );
  registerGauge(
    registry,
    "petstore_database_timeline",
    "Timeline of the database server. Each failover raises this number.",
    () => state().timeline,
    "max",
  );
  registerGaugeBy(
    registry,
    "pool",
    "petstore_database_connections",
    "Number of open connections from a process to the database server, by pool. PETSTORE_DATABASE_CONNECTIONS limits the total. If the service runs in several processes, this is the highest number of any process.",
    () => state().connections,
  );
  registerGauge(
    registry,
    "petstore_database_standbys_left_out",
    "Number of standbys (PETSTORE_DATABASE_REPLICAS) that the service does not read from right now, because they failed or are behind the primary.",
    () => state().standbysLeftOut,
    "max",
  );
}

interface DataFolder {
  readonly freeBytes: () => number;
  readonly databaseBytes: () => Readonly<Record<string, { readonly file: number; readonly log: number }>>;
}

export function registerDataFolderMetrics(
  registry: Registry,
  { freeBytes, databaseBytes }: DataFolder,
): void {
  registerGauge(
    registry,
    "petstore_data_free_bytes",
    "Free space, in bytes, on the disk that holds the data folder.",
    freeBytes,
    "min",
  );
  registerGaugeBy(
    registry,
    "database",
    "petstore_data_bytes",
    "Bytes of a database on disk, including its write-ahead log.",
    () => Object.entries(databaseBytes()).map(([database, { file, log }]) => [database, file + log]),
  );
  registerGaugeBy(
    registry,
    "database",
    "petstore_data_log_bytes",
    "Bytes of a database's write-ahead log on disk. The log grows while another program reads the database without a pause.",
    () => Object.entries(databaseBytes()).map(([database, { log }]) => [database, log]),
  );
}
