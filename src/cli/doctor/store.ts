import type { Config } from "../../config.ts";
import { systemClock } from "../../platform/clock.ts";
import { checkBackups } from "./backups.ts";
import type { CheckResult } from "./check-result.ts";
import { checkDataFolder } from "./data-folder.ts";
import { checkDatabaseServer } from "./database-server.ts";

/** Checks the store that these settings name, embedded or on a server, and its scheduled backups. */
export async function checkStore(config: Config): Promise<readonly CheckResult[]> {
  const now = systemClock.now();
  const folder = config.databaseUrl === undefined ? await checkDataFolder(config.dataDir, now) : [];
  return [...folder, ...(await checkDatabaseServer(config, now)), ...(await checkBackups(config, now))];
}
