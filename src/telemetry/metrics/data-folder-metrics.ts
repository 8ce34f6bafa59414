import { Gauge, type Registry } from "prom-client";

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
  const registers = [registry];
  new Gauge({
    name: "petstore_data_free_bytes",
    help: "Free bytes of the data folder's disk.",
    registers,
    aggregator: "min",
    collect() {
      this.set(freeBytes());
    },
  });
  new Gauge({
    name: "petstore_data_bytes",
    help: "Bytes of a database on disk, its write-ahead log included.",
    labelNames: ["database"],
    registers,
    aggregator: "max",
    collect() {
      for (const [database, { file, log }] of Object.entries(databaseBytes()))
        this.set({ database }, file + log);
    },
  });
  new Gauge({
    name: "petstore_data_log_bytes",
    help: "Bytes of a database's write-ahead log on disk. It grows while another program reads the database without a pause.",
    labelNames: ["database"],
    registers,
    aggregator: "max",
    collect() {
      for (const [database, { log }] of Object.entries(databaseBytes())) this.set({ database }, log);
    },
  });
}
