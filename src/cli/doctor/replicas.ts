import { type Config, SETTINGS } from "../../config.ts";
import { errorMessage } from "../../errors.ts";
import { parseDatabaseUrl } from "../../platform/database-url.ts";
import { inspectReplica } from "../../storage/inspected-server.ts";
import { type CheckResult, fail, ok, warn } from "./check-result.ts";

/** Whether each server to read at is a standby; nothing where reads go to the primary. */
export function checkReplicas({ databaseReplicas = [] }: Config): Promise<readonly CheckResult[]> {
  return Promise.all(databaseReplicas.map(checkReplica));
}

async function checkReplica(url: string): Promise<CheckResult> {
  const check = `replica ${parseDatabaseUrl(url)?.shown}`;
  try {
    const { isStandby } = await inspectReplica(url);
    if (isStandby) return ok(check, "is a standby that can be read at");
    return fail(check, "is not a standby", `Remove it from ${SETTINGS.databaseReplicas.variable}.`);
  } catch (error) {
    return warn(
      check,
      `cannot be read at: ${errorMessage(error)}`,
      "Reads go to the other servers meanwhile.",
    );
  }
}
