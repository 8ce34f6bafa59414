import { systemClock } from "../clock.ts";
import type { Config } from "../config.ts";
import { examineClock } from "./clocks.ts";
import { examineDataFolder } from "./data-folder.ts";
import { examineDatabases } from "./databases.ts";
import type { Finding } from "./finding.ts";
import { examinePorts } from "./ports.ts";

/** Everything that these settings need here: disk, databases, clock and ports. */
export async function examineMachine(config: Config): Promise<readonly Finding[]> {
  return [
    ...(config.databaseUrl === undefined ? examineDataFolder(config.dataDir) : []),
    ...(await examineDatabases(config)),
    await examineClock(config, systemClock.now()),
    ...(await examinePorts(config)),
  ];
}
