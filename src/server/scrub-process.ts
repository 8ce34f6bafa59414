import { setPriority } from "node:os";
import { DATABASE_NAMES, type DatabaseName } from "../storage/store-files.ts";
import { runOwnCommand } from "./own-command.ts";

const SCRUB_NICENESS = 19; // the lowest priority

/** What is wrong with a database: one sentence each. */
export type Problems = Readonly<Record<DatabaseName, readonly string[]>>;

/** A line of `petstore doctor --json`. */
interface Finding {
  readonly check: string;
  readonly state: string;
  readonly message: string;
}

/**
 * Runs `petstore doctor --slowly` with the lowest priority.
 *
 * @throws Error, in words for the operator, when it does not come to a result
 */
export async function scrubInProcess(dataDir: string, signal: AbortSignal): Promise<Problems> {
  const args = ["doctor", "--slowly", "--json", "--data-dir", dataDir];
  const { out, reason } = await runOwnCommand(args, signal, lowerPriority);
  if (out === "") throw new Error(reason);
  return problemsIn(JSON.parse(out));
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, SCRUB_NICENESS);
  } catch {
    // It has ended already, or the system allows no change: it rests nine tenths of the time all the same.
  }
}

function problemsIn(findings: readonly Finding[]): Problems {
  const of = (name: DatabaseName): readonly string[] => {
    const own = findings.filter(({ check }) => check === `contents ${name}`);
    if (own.length === 0) throw new Error(`It says nothing of ${name}.`);
    return own.filter(({ state }) => state !== "ok").map(({ message }) => message);
  };
  const [accounts, production, staging, messages] = DATABASE_NAMES.map(of);
  return {
    accounts: accounts ?? [],
    production: production ?? [],
    staging: staging ?? [],
    messages: messages ?? [],
  };
}
