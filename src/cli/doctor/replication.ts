import type { Config } from "../../config.ts";
import { errorMessage } from "../../errors.ts";
import { parseDatabaseUrl } from "../../platform/database-url.ts";
import { readReplication } from "../../storage/inspected-server.ts";
import type { Replication } from "../../storage/replication.ts";
import { type CheckResult, fail, ok, warn } from "./check-result.ts";

const CHECK = "replication";
const SYNCHRONOUS = ["on", "remote_apply"];

/** Whether an acknowledged change outlives the database server; nothing for embedded databases. */
export async function checkReplication({
  databaseUrl,
  databaseDirectUrl = databaseUrl,
}: Config): Promise<readonly CheckResult[]> {
  if (databaseDirectUrl === undefined) return [];
  const hasSeveralServers = (parseDatabaseUrl(databaseDirectUrl)?.servers.length ?? 0) > 1;
  try {
    return [judge(await readReplication(databaseDirectUrl), hasSeveralServers)];
  } catch (error) {
    return [fail(CHECK, `cannot be read: ${errorMessage(error)}`, "See the database checks.")];
  }
}

function judge(
  { server, commits, required, standbys, synchronous }: Replication,
  hasSeveralServers: boolean,
): CheckResult {
  if (commits === "off")
    return warn(
      CHECK,
      `${server} acknowledges changes that are not on its disk: a crash loses them`,
      "Set synchronous_commit=on there, also where its database or user has another value.",
    );
  if (standbys === 0 && required === "" && !hasSeveralServers) return ok(CHECK, `${server} has no standby`);
  if (required === "" || !SYNCHRONOUS.includes(commits))
    return warn(
      CHECK,
      `${server} acknowledges changes alone, before a standby has them: a failover loses them`,
      "Set synchronous_standby_names and synchronous_commit=on there (docs/guides/scaling).",
    );
  if (standbys === 0)
    return fail(
      CHECK,
      `${server} waits for ${required}, and no standby is connected: each change is answered 503`,
      "Connect a standby.",
    );
  const count = synchronous === 0 ? "" : ` (${synchronous} of ${standbys} connected)`;
  return ok(CHECK, `${server} acknowledges a change once ${required} has it${count}`);
}
