import { join } from "node:path";
import type { Bench } from "./bench.ts";
import type { Backends, Contestant } from "./contestants.ts";
import { type Build, OURS } from "./our-commands.ts";
import { type PostgresStores, preparePostgresStores } from "./postgres-stores.ts";
import { prepareSqliteStores } from "./stores.ts";

/** The data that these servers start on, migrated by this build. */
export async function prepareBackends(
  bench: Bench,
  contestants: readonly Contestant[],
  { folder = bench.folder, build = OURS }: { readonly folder?: string; readonly build?: Build } = {},
): Promise<Backends> {
  bench.progress.step("filling the stores");
  return {
    build,
    folder,
    sqlite: await prepareSqliteStores(folder, build),
    postgres: await postgresFor(bench, contestants, build),
    constantsFile: join(folder, "constants.json"),
  };
}

async function postgresFor(
  { progress, resources }: Bench,
  contestants: readonly Contestant[],
  build: Build,
): Promise<PostgresStores | undefined> {
  if (!contestants.some(({ engine }) => engine === "postgres")) return undefined;
  progress.step("starting and filling PostgreSQL");
  try {
    const stores = await preparePostgresStores(build);
    resources.defer(stores.remove);
    return stores;
  } catch (error) {
    progress.warn(`PostgreSQL is absent: ${error}`);
    return undefined;
  }
}
