import { type Config, SETTINGS } from "../../config.ts";
import { errorMessage } from "../../errors.ts";
import { inspectPooler } from "../../storage/inspected-server.ts";
import { type CheckResult, fail, ok } from "./check-result.ts";

const CHECK = "pooler";

/** Whether the pooler leads to the database that is migrated; nothing without a pooler. */
export async function checkPooler(config: Config): Promise<readonly CheckResult[]> {
  const { databaseUrl, databaseDirectUrl } = config;
  if (databaseUrl === undefined || databaseDirectUrl === undefined) return [];
  try {
    const { server, keepsNames } = await inspectPooler(databaseUrl, databaseDirectUrl);
    const names = keepsNames
      ? "statements are prepared by name"
      : "statements are not prepared by name (PgBouncer from 1.21 on with max_prepared_statements lets them)";
    return [ok(CHECK, `${server} leads to the same database; ${names}`)];
  } catch (error) {
    const { databaseUrl: pooled, databaseDirectUrl: direct } = SETTINGS;
    return [fail(CHECK, errorMessage(error), `Check ${pooled.variable} and ${direct.variable}.`)];
  }
}
