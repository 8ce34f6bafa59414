import type { Config } from "../../config.ts";
import { systemClock } from "../../platform/clock.ts";
import { checkBackups } from "./backups.ts";
import type { CheckResult } from "./check-result.ts";
import { checkClock } from "./clock.ts";
import { checkDataFolder } from "./data-folder.ts";
import { checkDatabases } from "./databases.ts";
import { checkPooler } from "./pooler.ts";
import { checkPorts } from "./ports.ts";
import { checkReplicas } from "./replicas.ts";
import { checkReplication } from "./replication.ts";
import { checkSignUp } from "./sign-up.ts";

/** Checks what these settings need on this machine: disk, databases, clock and ports. */
export async function checkMachine(config: Config): Promise<readonly CheckResult[]> {
  const folder = config.databaseUrl === undefined ? checkDataFolder(config.dataDir) : [];
  const isUsable = folder[0]?.state !== "fail";
  return [
    checkSignUp(config),
    ...folder,
    ...(isUsable ? await checkStores(config) : []),
    ...(await checkPorts(config)),
  ];
}

async function checkStores(config: Config): Promise<readonly CheckResult[]> {
  const now = systemClock.now();
  return [
    ...(await checkDatabases(config)),
    ...(await checkPooler(config)),
    ...(await checkReplication(config)),
    ...(await checkReplicas(config)),
    await checkClock(config, now),
    ...(await checkBackups(config, now)),
  ];
}
