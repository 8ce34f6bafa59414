import { Gauge, type Registry } from "prom-client";

interface DataFolder {
  /** The bytes that are free on its disk. */
  readonly freeBytes: () => number;
  /** The bytes that each database takes on it. */
  readonly databaseBytes: () => Readonly<Record<string, { readonly file: number; readonly log: number }>>;
}

/** A reading that fails leaves its metric out: all others are still wanted then. */
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
      const free = attempt(freeBytes);
      if (free === undefined) this.remove();
      else this.set(free);
    },
  });
  new Gauge({
    name: "petstore_data_bytes",
    help: "Bytes of a database on disk, its write-ahead log included.",
    labelNames: ["database"],
    registers,
    aggregator: "max",
    collect() {
      this.reset();
      for (const [database, { file, log }] of Object.entries(attempt(databaseBytes) ?? {}))
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
      this.reset();
      for (const [database, { log }] of Object.entries(attempt(databaseBytes) ?? {}))
        this.set({ database }, log);
    },
  });
}

function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
