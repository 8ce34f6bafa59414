import { Database } from "bun:sqlite";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ANIMALS } from "./animals.ts";
import { fillSqlite } from "./fill-sqlite.ts";
import type { Build } from "./our-commands.ts";

/** SQLite templates: every server starts every round from a copy with the same animals. */
export interface SqliteStores {
  /** A key that is valid in both. */
  readonly key: string;
  /** A well-formed key that no server has. */
  readonly unknownKey: string;
  /** A fresh data folder of petstore. */
  ourDataDir(): string;
  /** A fresh database file in the peers' schema. */
  peerFile(): string;
}

export async function prepareSqliteStores(folder: string, build: Build): Promise<SqliteStores> {
  const ours = join(folder, "ours");
  const theirs = join(folder, "theirs.sqlite");
  const key = await prepareOurStore(ours, ANIMALS, build);
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
    unknownKey: await createKey(build, "--data-dir", join(folder, "elsewhere")),
    ourDataDir: () => copyOf(ours),
    peerFile: () => copyOf(theirs),
  };
}

/** Creates a data folder of petstore with this number of animals, and returns a key for it. */
export async function prepareOurStore(dataDir: string, animals: number, build: Build): Promise<string> {
  await build.run("migrate", "--data-dir", dataDir);
  fillSqlite(productionFile(dataDir), animals);
  return createKey(build, "--data-dir", dataDir);
}

export function productionFile(dataDir: string): string {
  return join(dataDir, "production.sqlite");
}

export function createKey(build: Build, ...store: readonly string[]): Promise<string> {
  return build.run("keys", "create", "--environment", "production", ...store);
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
