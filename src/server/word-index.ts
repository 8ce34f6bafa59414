import type { Environment } from "../context.ts";
import { startKeepingWords } from "../pets/keep-words.ts";
import { selectIndexed } from "../pets/word-store.ts";
import type { Database } from "../storage/database.ts";
import { singleRow } from "../storage/row.ts";
import type { DatabaseDeps } from "./open-database.ts";

/**
 * Keeps the words of the environment's animals while it is served.
 *
 * @returns what a search calls that is too far ahead of it
 */
export async function startWordIndex(
  database: Database,
  environment: Environment,
  { clock, log, metrics, resources }: DatabaseDeps,
): Promise<() => Promise<void>> {
  const onError = (err: unknown) =>
    log.error({ err, environment }, "words of names were not kept for searches; that is tried again");
  const keeping = await startKeepingWords({ database, schema: environment, clock, onError });
  resources.defer(keeping.close);
  metrics.registerSearch(environment, async () => singleRow(await database.read(selectIndexed, [])).waiting);
  return keeping.catchUp;
}
