import { join } from "node:path";
import { parseDatabaseUrl } from "../platform/database-url.ts";
import { exists } from "../platform/file-errors.ts";
import { DATABASE_NAMES } from "./store-files.ts";

export interface StoreAddress {
  readonly dataDir: string;
  readonly databaseUrl?: string;
  readonly databaseSchemaPrefix?: string;
  /** The store's address without its password, as it appears in messages and in the record of a copy. */
  readonly shown: string;
}

export const ADDRESS_FORMS = "sqlite:DIR or postgres://…";
export const ADDRESS_EXAMPLES = ["sqlite:./data", "postgres://petstore@localhost/petstore"] as const;

const EMBEDDED = "sqlite:";

/** Parses an address of the form `sqlite:DIR` or `postgres://…`. Returns undefined for any other text. */
export function parseStoreAddress(text: string): StoreAddress | undefined {
  if (text.startsWith(EMBEDDED) && text.length > EMBEDDED.length) {
    return { dataDir: text.slice(EMBEDDED.length), shown: text };
  }
  const parsed = parseDatabaseUrl(text);
  if (parsed === undefined || !/^postgres(ql)?$/.test(parsed.scheme)) return undefined;
  return { dataDir: "", databaseUrl: text, shown: `postgres://${parsed.shown}` };
}

/** Returns false only if the address names a folder that certainly contains no store. Does not contact a database server. */
export function mayHoldStore({ dataDir, databaseUrl }: StoreAddress): boolean {
  return databaseUrl !== undefined || DATABASE_NAMES.some((name) => exists(join(dataDir, `${name}.sqlite`)));
}
