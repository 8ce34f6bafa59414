import { environmentWithoutSettings } from "../config/environment.ts";
import { systemClock as clock } from "../platform/clock.ts";
import { selfCommand } from "../platform/executable.ts";

const CHILD_GRACE_MS = 1_500; // time between the end of the service and the moment when a backup that is still running is killed

/**
 * Runs a command of this program in a child process. In this process, the command would block the event loop for seconds, and when
 * it closed a database file, this process would lose its own locks on the file (POSIX).
 *
 * @param signal aborts the command
 * @param clear called with the child's process id if the command fails
 * @returns the JSON that the command prints
 * @throws Error with the command's error text or, if there is none, its exit status
 */
export async function runOwnCommand<Result>(
  args: readonly string[],
  signal: AbortSignal,
  clear?: (pid: number) => Promise<void>,
): Promise<Result> {
  const child = Bun.spawn([...selfCommand(), ...args], {
    env: environmentWithoutSettings(),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new AbortController();
  async function end() {
    // SIGTERM is sent first, so that the child can abort an upload.
    child.kill("SIGTERM");
    await clock.wait(CHILD_GRACE_MS, ended.signal);
    child.kill("SIGKILL");
  }
  signal.addEventListener("abort", end);
  const [code, out, err] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
  ended.abort();
  signal.removeEventListener("abort", end);
  if (out !== "") return JSON.parse(out);
  // If `clear` fails, its error is ignored, because the error below already gives the reason.
  await clear?.(child.pid).catch(() => {});
  const said = err.trim().replace(/^petstore: /, "");
  throw new Error(said || `The command's process ended with ${child.signalCode ?? code}.`);
}
