import { statfsSync, statSync } from "node:fs";
import { Gauge, type Registry } from "prom-client";
import { DATABASE_NAMES, fileOf } from "../../storage/open.ts";

/** What the data folder's disk has left, and what the databases take of it. Nothing is opened for that: see sqlite-version.ts. */
export function registerDataFolderMetrics(registry: Registry, dataDir: string): void {
  const registers = [registry];
  new Gauge({
    name: "petstore_data_free_bytes",
    help: "What is left on the disk that the data folder is on.",
    registers,
    aggregator: "min",
    collect() {
      const { bavail, bsize } = statfsSync(dataDir);
      this.set(bavail * bsize);
    },
  });
  new Gauge({
    name: "petstore_data_bytes",
    help: "What a database takes on disk, its write-ahead log included.",
    labelNames: ["database"],
    registers,
    aggregator: "max",
    collect() {
      for (const name of DATABASE_NAMES) {
        const file = fileOf(name, dataDir);
        this.set({ database: name }, sizeOf(file) + sizeOf(`${file}-wal`));
      }
    },
  });
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
