import { dlopen, ptr } from "bun:ffi";
import { readFileSync } from "node:fs";
import { ask, get, type Target } from "./request.ts";

export interface Launch {
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The command of a program that runs beside the server. It writes a line when it is ready. */
  readonly companion?: readonly string[] | undefined;
}

export interface ServerProcess {
  /** The process identifier of the program that launches the server. */
  readonly pid: number;
  /** Milliseconds from the start of the server to its first page of animals. */
  readonly startUpMs: number;
  readonly idleMegabytes: number;
  stop(): Promise<void>;
}

const START_DEADLINE_MS = 20_000;
const STOP_DEADLINE_MS = 8_000;
const POLL_MS = 2;
/** In /proc, the kernel counts CPU time in ticks of 10 ms. */
const MICROS_PER_TICK = 10_000;
const PAGE_BYTES = 4096;

/** The servers use one CPU core, and the load generator, PostgreSQL and this program share another one. */
const [SERVER_CORE, LOAD_CORE] = ["0", "1"];
let isPinned = false;

/** Makes this process run on the core of the load generator. @returns false if `taskset` or a second core is missing */
export function pin(): boolean {
  const move = ["taskset", "--all-tasks", "--cpu-list", "--pid", LOAD_CORE, String(process.pid)];
  isPinned = Bun.which("taskset") !== null && Bun.spawnSync(move).success;
  return isPinned;
}

/** Starts a server, and waits until it responds. @throws Error with the server's output if it does not respond in time */
export async function startServer(
  { command, env, companion }: Launch,
  target: Target,
  errorFile: string,
): Promise<ServerProcess> {
  const startedAt = performance.now();
  const child = Bun.spawn([...(isPinned ? ["taskset", "--cpu-list", SERVER_CORE] : []), ...command], {
    env: { PATH: Bun.env["PATH"], NODE_ENV: "production", ...env },
    // The server's log goes to /dev/null, so that a log line costs only the write itself.
    stdio: ["ignore", Bun.file("/dev/null"), Bun.file(errorFile)],
  });
  const hasAnswered = await answersInTime(child, target);
  const startUpMs = performance.now() - startedAt;
  const { pid } = child;
  if (hasAnswered) {
    const beside = companion && Bun.spawn([...companion], { stdio: ["ignore", "pipe", "inherit"] });
    await beside?.stdout.getReader().read();
    const idleMegabytes = residentMegabytes(pid);
    return { pid, startUpMs, idleMegabytes, stop: () => stop(child, beside) };
  }
  await stop(child);
  throw new Error(`It did not start: ${readFileSync(errorFile, "utf8").trim().slice(-1_000)}`);
}

async function answersInTime(child: Bun.Subprocess, target: Target): Promise<boolean> {
  const deadline = performance.now() + START_DEADLINE_MS;
  while (performance.now() < deadline && child.exitCode === null) {
    const answer = await ask(target, get(target, "/v1/pets?limit=20")).catch(() => undefined);
    if (answer?.status === 200) return true;
    await Bun.sleep(POLL_MS);
  }
  return false;
}

/** Returns the process identifier of the server. The launcher starts a chain of processes, of which the server is the last one. */
function youngestOf(pid: number): number {
  const [child] = childrenOf(pid);
  return child === undefined ? pid : youngestOf(child);
}

function childrenOf(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").split(" ").filter(Boolean).map(Number);
}

async function stop(child: Bun.Subprocess, companion?: Bun.Subprocess): Promise<void> {
  if (companion?.exitCode) process.stderr.write("The program beside a server has failed.\n");
  companion?.kill();
  child.kill("SIGTERM");
  if (await Promise.race([child.exited.then(() => true), Bun.sleep(STOP_DEADLINE_MS)])) return;
  process.kill(youngestOf(child.pid), "SIGKILL");
  child.kill("SIGKILL");
  await child.exited;
}

/**
 * Returns the CPU time of a process and all its descendants, including those that have ended: user and system time of all threads.
 */
export function cpuMicros(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // In /proc/PID/stat, the program's name is in parentheses and may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // Reads the CPU time of child processes that have ended, in ticks (proc(5), stat). For a running process, ticks would be too
    // coarse.
    const ticks = Number(fields[13]) + Number(fields[14]);
    const own = clockMicros(pid) + ticks * MICROS_PER_TICK;
    return childrenOf(pid).reduce((sum, one) => sum + cpuMicros(one), own);
  } catch {
    return 0; // The process has just ended, so its CPU time is now part of its parent's.
  }
}

const libc = dlopen("libc.so.6", { clock_gettime: { args: ["i32", "ptr"], returns: "i32" } }).symbols;
const SCHEDULER_CLOCK = 2; // CPUCLOCK_SCHED of linux/posix-timers_types.h, a clock in nanoseconds

/**
 * Reads a process's CPU clock, whose identifier is computed as in clock_getcpuclockid(3). @throws Error if the process has ended
 */
function clockMicros(pid: number): number {
  const time = new BigInt64Array(2);
  const failed = libc.clock_gettime((~pid << 3) | SCHEDULER_CLOCK, ptr(time));
  if (failed !== 0) throw new Error(`process ${pid} has ended`);
  return Number(time[0]) * 1e6 + Number(time[1]) / 1e3;
}

export function residentMegabytes(pid: number): number {
  const [, resident] = readFileSync(`/proc/${youngestOf(pid)}/statm`, "latin1").split(" ");
  return (Number(resident) * PAGE_BYTES) / 1e6;
}
