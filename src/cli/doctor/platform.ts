import { SETTINGS } from "../../config/settings.ts";
import type { Config } from "../../config.ts";
import { type CheckResult, warn } from "./check-result.ts";

/** Warns if the data folder is on a disk that the platform deletes with the instance, because confirmed changes would be lost. */
export function checkPlatform({ forgetfulPlatform, databaseUrl }: Config): readonly CheckResult[] {
  if (forgetfulPlatform === undefined || databaseUrl !== undefined) return [];
  return [
    warn(
      "platform",
      `${forgetfulPlatform} deletes an instance's files when it stops, including the data folder`,
      `Set ${SETTINGS.databaseUrl.variable}, and keep the data in a database server.`,
    ),
  ];
}
