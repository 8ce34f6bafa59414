import { petstore } from "../wire/process.ts";
import { makeKey } from "../wire/server.ts";
import { freshEmbeddedStore, type Store } from "../wire/stores.ts";

/** Returns the address of a store in the form that `petstore copy` accepts. */
export function addressOf({ dataDir, settings }: Store): string {
  return settings["PETSTORE_DATABASE_URL"] ?? `sqlite:${dataDir}`;
}

export async function copy(from: Store, to: Store, ...args: readonly string[]) {
  return petstore(from, ["copy", "--from", addressOf(from), "--to", addressOf(to), ...args]);
}

export async function freshEmbeddedStoreWithKey(): Promise<Store> {
  const store = await freshEmbeddedStore();
  await makeKey(store);
  return store;
}
