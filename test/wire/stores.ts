import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { databaseSettings, freshDatabaseUrl } from "../postgres/database.ts";

/** A data folder, and settings with which a service stores its data in that folder or in a database. */
export interface Store {
  readonly dataDir: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** The base addresses of the services, such as `http://localhost:41234/v1`. */
export interface Addresses {
  readonly production: string;
  readonly staging: string;
  readonly messages: string;
  readonly metrics: string;
}

export async function freshEmbeddedStore(): Promise<Store> {
  const dataDir = await mkdtemp(join(tmpdir(), "petstore-"));
  return { dataDir, settings: { PETSTORE_DATA_DIR: dataDir } };
}

/** @param freshUrl returns the address of a database. By default, this is a new database with all tables of petstore. */
export async function freshPostgresStore(freshUrl = freshDatabaseUrl): Promise<Store> {
  const { dataDir } = await freshEmbeddedStore();
  return {
    dataDir,
    settings: { PETSTORE_DATA_DIR: dataDir, ...databaseSettings(await freshUrl()) },
  };
}

/** Returns environment variables that make petstore use this store and free ports. */
export function environment({ settings }: Store): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    ...settings,
    PETSTORE_PRODUCTION_PORT: "0",
    PETSTORE_STAGING_PORT: "0",
    PETSTORE_MESSAGES_PORT: "0",
    PETSTORE_METRICS_PORT: "0",
  };
}

/** A setting with which people in a test can sign up without an invitation link. */
export const OPEN_SIGN_UP = { PETSTORE_SIGN_UP: "open" };
