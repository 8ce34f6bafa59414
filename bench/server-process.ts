import { readFileSync } from "node:fs";
import type { Pinning } from "./pinning.ts";
import { childrenOf, residentBytes } from "./process-usage.ts";
import { ask } from "./request.ts";

export interface Launch {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly port: number;
  readonly key: string;
  /** Receives its standard error. */
  readonly errorFile: string;
}

export interface ServerProcess {
  readonly port: number;
  readonly key: string;
  /** The process that listens, not its launcher. */
  readonly pid: number;
  /** From the command to the first page of animals. */
  readonly startUpMs: number;
  residentBytes(): number;
  stop(): Promise<void>;
}

const START_DEADLINE_MS = 20_000;
const STOP_DEADLINE_MS = 8_000;
const POLL_MS = 2;

const running = new Set<() => Promise<void>>();

/** For a run that is interrupted. */
export async function stopServers(): Promise<void> {
  await Promise.all([...running].map((stop) => stop()));
}

/** @throws Error with what the server wrote when it does not answer in time */
export async function startServer(launch: Launch, pinning: Pinning): Promise<ServerProcess> {
  const { port, key, errorFile } = launch;
  const startedAt = performance.now();
  const child = Bun.spawn([...pinning.forServer(launch.command)], {
    env: { PATH: Bun.env["PATH"], NODE_ENV: "production", ...launch.env },
    stdin: "ignore",
    // A log line costs its write and nothing else there.
    stdout: Bun.file("/dev/null"),
    stderr: Bun.file(errorFile),
  });
  async function stop(): Promise<void> {
    await end(child);
    running.delete(stop);
  }
  running.add(stop);
  const hasAnswered = await answersWithin(START_DEADLINE_MS, child, { port, key });
  const startUpMs = performance.now() - startedAt;
  const pid = youngestOf(child);
  if (hasAnswered) return { port, key, pid, startUpMs, residentBytes: () => residentBytes(pid), stop };
  await stop();
  throw new Error(
    `The server did not start: ${readFileSync(errorFile, "utf8").trim().slice(-1_000) || "it printed no error"}`,
  );
}

async function answersWithin(
  milliseconds: number,
  child: Bun.Subprocess,
  server: Pick<Launch, "port" | "key">,
): Promise<boolean> {
  const deadline = performance.now() + milliseconds;
  while (performance.now() < deadline && child.exitCode === null) {
    const reply = await ask(server, "GET", "/v1/pets?limit=20").catch(() => undefined);
    if (reply?.status === 200) return true;
    await Bun.sleep(POLL_MS);
  }
  return false;
}

/** The server behind its launchers: the youngest descendant. */
function youngestOf({ exitCode, pid }: Bun.Subprocess): number {
  let youngest = pid;
  for (let next: number | undefined = pid; next !== undefined && exitCode === null; ) {
    youngest = next;
    [next] = childrenOf(next);
  }
  return youngest;
}

async function end(child: Bun.Subprocess): Promise<void> {
  if (child.exitCode !== null) return;
  const pid = youngestOf(child);
  child.kill("SIGTERM");
  const isGone = await Promise.race([child.exited.then(() => true), Bun.sleep(STOP_DEADLINE_MS)]);
  if (isGone) return;
  if (pid !== child.pid) process.kill(pid, "SIGKILL");
  child.kill("SIGKILL");
  await child.exited;
}

export function freePort(): number {
  const probe = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = probe;
  probe.stop(true);
  return port;
}
