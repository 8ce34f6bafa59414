import { Database } from "bun:sqlite";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ANIMALS } from "./animals.ts";
import { fillSqlite } from "./fill-sqlite.ts";
import { petstore } from "./our-commands.ts";

/** Data on SQLite to take copies of, so that every server starts every round from the same animals. */
export interface SqliteStores {
  /** A key that both ours and the peers' know. */
  readonly key: string;
  /** A key of the right shape that nobody knows. */
  readonly unknownKey: string;
  /** A fresh data folder of ours. */
  ourDataDir(): string;
  /** A fresh database file in the peers' schema. */
  peerFile(): string;
}

export async function prepareSqliteStores(folder: string): Promise<SqliteStores> {
  const ours = join(folder, "ours");
  const theirs = join(folder, "theirs.sqlite");
  const key = await prepareOurStore(ours, ANIMALS);
  createPeerFile(theirs, key);
  fillSqlite(theirs, ANIMALS);
  let copies = 0;
  function copyOf(template: string): string {
    const copy = join(folder, `copy-${++copies}`);
    cpSync(template, copy, { recursive: true });
    return copy;
  }
  return {
    key,
    unknownKey: await createKey("--data-dir", join(folder, "elsewhere")),
    ourDataDir: () => copyOf(ours),
    peerFile: () => copyOf(theirs),
  };
}

/** Makes a data folder of ours with so many animals, and returns a key to it. */
export async function prepareOurStore(dataDir: string, animals: number): Promise<string> {
  await petstore("migrate", "--data-dir", dataDir);
  fillSqlite(productionFile(dataDir), animals);
  return createKey("--data-dir", dataDir);
}

/** Where our data folder keeps the animals. */
export function productionFile(dataDir: string): string {
  return join(dataDir, "production.sqlite");
}

export function createKey(...store: readonly string[]): Promise<string> {
  return petstore("keys", "create", "--environment", "production", ...store);
}

function createPeerFile(file: string, key: string): void {
  using db = new Database(file);
  db.run("PRAGMA journal_mode = WAL");
  db.run(readFileSync(new URL("peers/schema.sqlite.sql", import.meta.url), "utf8"));
  db.run("INSERT INTO api_key (id, token_hash, access) VALUES (1, ?, 'read-write')", [sha256(key)]);
}

export function sha256(text: string): Buffer {
  return new Bun.CryptoHasher("sha256").update(text).digest();
}
