import { existsSync } from "node:fs";
import { join } from "node:path";
import { DATABASE_NAMES } from "./open.ts";

/** Where a whole store is kept. */
export interface StoreAddress {
  readonly dataDir: string;
  readonly databaseUrl?: string;
  /** The address without its password: fit to be shown and kept. */
  readonly shown: string;
}

export const ADDRESS_FORMS = "sqlite:DIR or postgres://…";
export const ADDRESS_EXAMPLES = ["sqlite:./data", "postgres://petstore@localhost/petstore"] as const;

const EMBEDDED = "sqlite:";

/** Reads `sqlite:DIR` or `postgres://…`; undefined for anything else. */
export function parseStoreAddress(text: string): StoreAddress | undefined {
  if (text.startsWith(EMBEDDED) && text.length > EMBEDDED.length) {
    return { dataDir: text.slice(EMBEDDED.length), shown: text };
  }
  const url = URL.parse(text);
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol) || url.hostname === "") return undefined;
  return { dataDir: "", databaseUrl: text, shown: `postgres://${url.host}${url.pathname}` };
}

/** Whether there is a store at an embedded address; at another the database itself will tell. */
export function mayHoldStore({ dataDir, databaseUrl }: StoreAddress): boolean {
  return (
    databaseUrl !== undefined || DATABASE_NAMES.some((name) => existsSync(join(dataDir, `${name}.sqlite`)))
  );
}
