import type { Environment } from "../context.ts";
import { startNumbering } from "../events/number-events.ts";
import type { Database } from "../storage/database.ts";
import type { DatabaseDeps } from "./open-database.ts";

/** What looks after the events of an environment while it is served. */
export async function startEventLog(
  database: Database,
  environment: Environment,
  { log, resources }: Pick<DatabaseDeps, "log" | "resources">,
): Promise<void> {
  const numbering = await startNumbering(database, environment, (err) =>
    log.error({ err, environment }, "events did not get their numbers; that is tried again"),
  );
  resources.defer(numbering.close);
}
