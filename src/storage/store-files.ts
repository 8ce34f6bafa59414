import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { DATABASE_NAMES, fileOf } from "./open.ts";

/** The files in a folder that belong to an embedded store. */
export function storeFiles(dataDir: string): readonly string[] {
  return readdirSync(dataDir)
    .filter((name) => /\.sqlite(-wal|-shm)?$/.test(name))
    .map((name) => join(dataDir, name));
}

/** Logs without their database: SQLite would replay them into a new one of the same name. */
export function orphanedLogs(dataDir: string): readonly string[] {
  return DATABASE_NAMES.map((name) => fileOf(name, dataDir))
    .filter((file) => !existsSync(file) && existsSync(`${file}-wal`))
    .map((file) => `${basename(file)}-wal`);
}
