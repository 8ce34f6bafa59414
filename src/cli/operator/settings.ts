import { type Flags, SETTINGS, type SettingName } from "../../config/settings.ts";
import { type Config, loadConfig } from "../../config.ts";
import type { ServiceName } from "../../context.ts";
import type { Command } from "../command.ts";

export const STORE_SETTINGS = [
  "dataDir",
  "databaseUrl",
  "databaseDirectUrl",
  "databaseSchemaPrefix",
] as const;

/** Adds a command-line flag for each of the settings. The help shows each setting's environment variable and default. */
export function addSettings(command: Command, names: readonly SettingName[] = STORE_SETTINGS): Command {
  for (const name of names) {
    const { flag, variable, meaning, default: fallback } = SETTINGS[name];
    command.option(flag, `${meaning} (${variable}${fallback === undefined ? "" : `, ${fallback}`})`);
  }
  return command;
}

/** @param services the services that the command uses; if there is only one, the variable `PORT` can set its port */
export function configOf(options: object, services: readonly ServiceName[] = []): Config {
  const given = new Map<string, unknown>(Object.entries(options));
  const flags: Partial<Record<SettingName, string>> = {};
  for (const [name, { flag }] of Object.entries(SETTINGS)) {
    const value = given.get(camelCase(flag));
    if (typeof value === "string") flags[name as SettingName] = value;
  }
  return loadConfig(flags satisfies Flags, undefined, services);
}

/** Returns the property name that commander derives from a flag: `dataDir` for `--data-dir <dir>`. */
function camelCase(flag: string): string {
  const name = flag.split(" ")[0]?.slice(2) ?? "";
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
