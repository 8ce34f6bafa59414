import { environmentWithoutSettings } from "../config/environment.ts";
import { systemClock as clock } from "../platform/clock.ts";
import { selfCommand } from "../platform/executable.ts";

export const CHILD_GRACE_MS = 5_000; // time for a running backup to end by itself when the service stops; after that, it is killed, and an upload to a bucket stays there unfinished

/**
 * Runs a petstore command in a child process. In this process, the command would block the event loop for seconds. It would also
 * close database files, and this process would then lose its own locks on these files (POSIX).
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
    // After SIGTERM, the child process still has time to abort an upload.
    child.kill("SIGTERM");
    await clock.wait(CHILD_GRACE_MS, ended.signal);
    child.kill("SIGKILL");
  }
  signal.addEventListener("abort", end);
  const [code, out, err] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
  ended.abort();
  signal.removeEventListener("abort", end);
  if (out !== "") return JSON.parse(out);
  // Errors from `clear` are ignored, because the operator needs the error that is thrown below.
  await clear?.(child.pid).catch(() => {});
  const said = err.trim().replace(/^petstore: /, "");
  throw new Error(said || `The command's process ended with ${child.signalCode ?? code}.`);
}
