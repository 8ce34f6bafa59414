import { join } from "node:path";
import type { Bench } from "./bench.ts";
import type { Backends, Contestant } from "./contestants.ts";
import type { Options } from "./options.ts";
import { type PostgresStores, preparePostgresStores } from "./postgres-stores.ts";
import { figuresOf } from "./result.ts";
import { runRounds } from "./rounds.ts";
import { prepareSqliteStores } from "./stores.ts";
import { tablesOf } from "./table.ts";

/** More pages than any server caches. */
const PAGES = 4_000;

export async function compare(bench: Bench, options: Options) {
  const { progress, folder } = bench;
  const { contestants, works } = options;
  progress.step("filling the stores");
  const backends: Backends = {
    sqlite: await prepareSqliteStores(folder),
    postgres: await postgresFor(bench, contestants),
    constantsFile: join(folder, "constants.json"),
  };
  const results = await runRounds({ ...bench, ...options, backends, pages: PAGES }, contestants);
  const figures = results.cells.map((cell) => ({ ...cell, ...(cell.rounds.length > 0 && figuresOf(cell)) }));
  return {
    text: tablesOf(results, works),
    json: { servers: results.servers, cells: figures },
    hasFailed: results.cells.some(({ fault }) => fault !== undefined),
  };
}

async function postgresFor(
  { progress, resources }: Bench,
  contestants: readonly Contestant[],
): Promise<PostgresStores | undefined> {
  if (!contestants.some(({ engine }) => engine === "postgres")) return undefined;
  progress.step("starting and filling PostgreSQL");
  try {
    const stores = await preparePostgresStores();
    resources.defer(stores.remove);
    return stores;
  } catch (error) {
    progress.warn(`PostgreSQL is absent: ${error}`);
    return undefined;
  }
}
