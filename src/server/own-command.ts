import { environmentWithoutSettings } from "../config.ts";
import { selfCommand } from "../platform/executable.ts";

interface Outcome {
  readonly pid: number;
  /** Empty when the command came to no result. */
  readonly out: string;
  /** Of a command that failed: what it says, or how it ended. */
  readonly reason: string;
}

/**
 * Runs a command of this program in a process of its own: it would keep the event loop for seconds, and closing a database's
 * file would release the locks that this process has on it (POSIX).
 *
 * @param signal ends it
 */
export async function runOwnCommand(args: readonly string[], signal: AbortSignal): Promise<Outcome> {
  const child = Bun.spawn([...selfCommand(), ...args], {
    env: environmentWithoutSettings(),
    stdio: ["ignore", "pipe", "pipe"],
    signal,
    killSignal: "SIGKILL",
  });
  const [code, out, err] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
  const said = err.trim().replace(/^petstore: /, "");
  return { pid: child.pid, out, reason: said || `Its process ended with ${child.signalCode ?? code}.` };
}
