import { constants, setPriority } from "node:os";
import type { Config } from "../../config.ts";
import { findRemedy, inspectContents } from "../../storage/contents.ts";
import { DATABASE_NAMES, type DatabaseName } from "../../storage/store-files.ts";
import { pluralize } from "../terminal/pluralize.ts";
import { startProgress } from "../terminal/progress.ts";
import { pasteable } from "../terminal/shell-quote.ts";
import { type CheckResult, fail, ok } from "./check-result.ts";

const FINDINGS_SHOWN_MAX = 100; // maximum number of findings that `petstore doctor --deep` lists for each database; further findings are only counted
const REST_FACTOR = 9; // each step is followed by a pause that lasts 9 times as long as the step, so that a check uses a tenth of a core

const ADVICE =
  "Make a copy of the data folder as it is, then restore the newest intact backup: petstore restore FILE.";
const REMEDY =
  "The tables of this database are intact; only an index differs from its table. This command rebuilds the indexes from the tables, and loses no row:";
const SERVER_ADVICE =
  "Check the database server's log. If its data is damaged, restore an intact backup (pg_restore).";

/**
 * Reads and checks everything in the databases.
 *
 * @param isSlow true if the service may be running; the check then has the lowest priority, and works only 10 % of the time
 */
export async function checkContents(config: Config, isSlow: boolean): Promise<readonly CheckResult[]> {
  if (isSlow) lowerPriority();
  const results: CheckResult[] = [];
  for (const name of DATABASE_NAMES) results.push(...(await checkDatabaseContents(name, config, isSlow)));
  return results;
}

function lowerPriority() {
  try {
    setPriority(constants.priority.PRIORITY_LOW);
  } catch {
    // If petstore's systemd unit started this process, the process cannot lower its priority. This hardly matters, because the
    // check uses only a tenth of a core.
  }
}

async function checkDatabaseContents(
  name: DatabaseName,
  config: Config,
  isSlow: boolean,
): Promise<readonly CheckResult[]> {
  const check = `contents ${name}`;
  const progress = startProgress(`checking ${name}`, 100);
  const problems = new Set<string>();
  let read = "";
  let since = performance.now();
  for await (const { share, problems: found, summary = read } of inspectContents(name, config)) {
    progress.update(Math.floor(share * 100));
    for (const problem of found) problems.add(problem);
    read = summary;
    if (isSlow) await Bun.sleep((performance.now() - since) * REST_FACTOR);
    since = performance.now();
  }
  progress.end();
  if (problems.size === 0) return [ok(check, `no problem found: ${read}`)];
  const advice = adviceFor(name, config, [...problems]);
  const shown = [...problems].slice(0, FINDINGS_SHOWN_MAX).map((problem) => fail(check, problem, advice));
  const more = problems.size - shown.length;
  return more === 0
    ? shown
    : [...shown, fail(check, pluralize(more, "more problem", "more problems"), advice)];
}

function adviceFor(name: DatabaseName, config: Config, problems: readonly string[]): string {
  if (config.databaseUrl !== undefined) return SERVER_ADVICE;
  const remedy = findRemedy(name, config, problems);
  return remedy === undefined ? ADVICE : `${REMEDY} ${remedy.map(pasteable).join(" ")}`;
}
