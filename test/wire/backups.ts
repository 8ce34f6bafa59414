import { expect } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { petstore } from "./process.ts";
import { everyPet } from "./remote.ts";
import type { Server } from "./server.ts";
import { freshEmbeddedStore, type Store } from "./stores.ts";

/** Returns settings with which the service makes a backup every second and keeps only the newest `keep` backups. */
export const settingsOf = (folder: string, keep = 2) => ({
  PETSTORE_BACKUP_DIR: folder,
  PETSTORE_BACKUP_EVERY: "1s",
  PETSTORE_BACKUP_KEEP: String(keep),
});

/** Returns the names of the scheduled backups in a folder, oldest first. */
export function backupsIn(folder: string): readonly string[] {
  const name = /^petstore-\d{8}T\d{6}\.\d{3}Z\.backup$/;
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((one) => name.test(one))
        .sort()
    : [];
}

/** Returns the names of files that belong to unfinished backups. */
export function leftoversIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.includes("partial")) : [];
}

/** Restores a backup into a new, empty store. */
export async function restored(file: string): Promise<{ store: Store; code: number; err: string }> {
  const { dataDir } = await freshEmbeddedStore();
  const store = { dataDir: join(dataDir, "new"), settings: { PETSTORE_DATA_DIR: join(dataDir, "new") } };
  return { store, ...(await petstore(store, ["restore", file])) };
}

export async function restoredStore(file: string): Promise<Store> {
  const { store, ...outcome } = await restored(file);
  expect(outcome).toMatchObject({ code: 0 });
  return store;
}

export const allIds = async (server: Server, key: string) =>
  new Set((await everyPet(server, key)).map(({ id }) => id));
