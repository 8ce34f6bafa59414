import { ConfigError, SETTING_NAMES } from "../../config/settings.ts";
import type { Config } from "../../config.ts";
import { isBucketUrl } from "../../platform/bucket-url.ts";
import type { Command } from "../command.ts";
import { addSettings, configOf } from "../operator/settings.ts";
import { type JsonOption, print, printJson } from "../terminal/output.ts";
import { type CheckResult, fail, lineOf, ok } from "./check-result.ts";

export function addCommands(program: Command): void {
  const command = program
    .command("doctor")
    .description(
      "look for problems, and say how to solve them; changes nothing in the store, except with --accept-loss; if backups go to a bucket, writes a test object to the bucket and removes it",
    )
    .option(
      "--accept-loss",
      "make a store usable again if its database files are missing, damaged or replaced, and say what is lost; for a store on a database server, this only makes new identifiers start at higher numbers; stop the service first",
    )
    .option(
      "--deep",
      "also read and check all contents of the databases, and the newest backup if it is in a bucket; safe while the service runs",
    )
    .option(
      "--slowly",
      "run only the check that --deep adds, and run it slowly, as the service does every day: at the lowest priority and with a tenth of a CPU core",
    )
    .option("--json", "print the results as JSON")
    .addExamples(
      "petstore doctor",
      "petstore doctor --deep --data-dir /var/lib/petstore --json",
      "petstore doctor --accept-loss",
    );
  addSettings(command, SETTING_NAMES);
  command.action(async (options: DoctorOptions & { acceptLoss?: true }) => {
    if (options.acceptLoss) return (await import("./accept-loss.ts")).acceptLossOf(options);
    const results = await runChecks(options);
    if (options.json) printJson(results);
    else for (const result of results) print(lineOf(result));
    if (results.some(({ state }) => state === "fail")) process.exitCode = 1;
  });
}

interface DoctorOptions extends JsonOption {
  readonly deep?: true;
  readonly slowly?: true;
}

/** Checks whose failure means that the store's files cannot be used. */
const FILES = ["data folder", "file system"];

async function runChecks(options: DoctorOptions): Promise<readonly CheckResult[]> {
  let config: Config;
  try {
    config = configOf(options);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [fail("settings", error.message, "See petstore serve --help.")];
  }
  const { deep = false, slowly = false } = options;
  const results = [ok("settings", "all settings are valid")];
  if (!slowly) {
    const { checkProgram, checkRuntime } = await import("./program.ts");
    results.push(await checkProgram(), checkRuntime(config));
    results.push((await import("./sign-up.ts")).checkSignUp(config));
    results.push(...(await import("./platform.ts")).checkPlatform(config));
    results.push(...(await (await import("./store.ts")).checkStore(config)));
    results.push(...(await (await import("./ports.ts")).checkPorts(config)));
    results.push(...(await (await import("./mail.ts")).checkMail(config)));
  }
  // If the files cannot be used, their contents are not checked, because they would look damaged even if they are not.
  const isReachable = !results.some(({ check, state }) => state === "fail" && FILES.includes(check));
  if ((deep || slowly) && isReachable)
    results.push(...(await (await import("./contents.ts")).checkContents(config, slowly)));
  const { backupDir } = config;
  if (deep && !slowly && backupDir !== undefined && isBucketUrl(backupDir))
    results.push(...(await (await import("./bucket.ts")).checkNewest({ ...config, backupDir })));
  return results;
}
