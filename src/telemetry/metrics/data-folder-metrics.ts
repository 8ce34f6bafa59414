import type { Registry } from "prom-client";
import { registerGauge, registerGaugeBy } from "./gauges.ts";

interface DataFolder {
  /** The bytes that are free on its disk. */
  readonly freeBytes: () => number;
  /** The bytes that each database takes on it. */
  readonly databaseBytes: () => Readonly<Record<string, { readonly file: number; readonly log: number }>>;
}

export function registerDataFolderMetrics(
  registry: Registry,
  { freeBytes, databaseBytes }: DataFolder,
): void {
  registerGauge(
    registry,
    "petstore_data_free_bytes",
    "Free bytes of the data folder's disk.",
    freeBytes,
    "min",
  );
  registerGaugeBy(
    registry,
    "database",
    "petstore_data_bytes",
    "Bytes of a database on disk, its write-ahead log included.",
    () => Object.entries(databaseBytes()).map(([database, { file, log }]) => [database, file + log]),
  );
  registerGaugeBy(
    registry,
    "database",
    "petstore_data_log_bytes",
    "Bytes of a database's write-ahead log on disk. It grows while another program reads the database without a pause.",
    () => Object.entries(databaseBytes()).map(([database, { log }]) => [database, log]),
  );
}
