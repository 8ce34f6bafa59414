import { SETTINGS } from "../../config/settings.ts";
import type { Config } from "../../config.ts";
import { type CheckResult, warn } from "./check-result.ts";

/**
 * Warns if the hosting platform deletes the disk with the data folder when it deletes the instance, because confirmed changes
 * would be lost.
 */
export function checkPlatform({ forgetfulPlatform, databaseUrl }: Config): readonly CheckResult[] {
  if (forgetfulPlatform === undefined || databaseUrl !== undefined) return [];
  return [
    warn(
      "platform",
      `${forgetfulPlatform} deletes all files of an instance when the instance stops, including the data folder`,
      `Set ${SETTINGS.databaseUrl.variable}, and keep the data on a database server.`,
    ),
  ];
}
