import { type Config, SETTINGS } from "../../config.ts";
import { type CheckResult, warn } from "./check-result.ts";

/** Warns of a data folder on a disk that is removed with its instance, because confirmed changes would be lost with it. */
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
