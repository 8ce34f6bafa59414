import type { Inspected } from "./inspected.ts";
import { inspectSchema } from "./postgres/contents.ts";
import { inspectFile, remedyOf } from "./sqlite/contents.ts";
import { type DatabaseName, fileOf } from "./store-files.ts";

interface StoreLocation {
  readonly dataDir: string;
  readonly databaseUrl?: string | undefined;
  readonly databaseDirectUrl?: string | undefined;
  readonly databaseSchemaPrefix?: string | undefined;
}

/**
 * Reads and checks a database's entire content (docs/guides/operate.md). It changes nothing, and is safe while the service runs.
 */
export function inspectContents(
  name: DatabaseName,
  { dataDir, databaseUrl, databaseDirectUrl = databaseUrl, databaseSchemaPrefix = "" }: StoreLocation,
): AsyncIterable<Inspected> {
  return databaseDirectUrl === undefined
    ? inspectFile(fileOf(name, dataDir))
    : inspectSchema(databaseDirectUrl, databaseSchemaPrefix + name);
}

/**
 * Finds a shell command that repairs all of the given problems without losing data. Returns the command as a list of words, or
 * undefined if no command can do this.
 */
export function findRemedy(
  name: DatabaseName,
  { dataDir, databaseUrl }: StoreLocation,
  problems: readonly string[],
): readonly string[] | undefined {
  return databaseUrl === undefined ? remedyOf(fileOf(name, dataDir), problems) : undefined;
}
