import { readFileSync } from "node:fs";

/** The kernel counts CPU time for /proc in ticks of 10 ms. */
const MICROS_PER_TICK = 10_000;
const UTIME = 11;
const STIME = 12;
const PAGE_BYTES = 4096;

/** CPU time of a process, user and system, over all its threads (proc(5), stat). */
export function cpuMicros(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  // The program's name, in parentheses, may hold blanks.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[UTIME]) + Number(fields[STIME])) * MICROS_PER_TICK;
}

/** CPU time of the whole machine, over all its cores (proc(5), /proc/stat). */
export function machineMicros(): number {
  const [line = ""] = readFileSync("/proc/stat", "latin1").split("\n", 1);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = line
    .trim()
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softirq + steal) * MICROS_PER_TICK;
}

/** Resident memory of a process. */
export function residentBytes(pid: number): number {
  const [, resident] = readFileSync(`/proc/${pid}/statm`, "latin1").split(" ");
  return Number(resident) * PAGE_BYTES;
}

/** Running child processes. */
export function childrenOf(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").split(" ").filter(Boolean).map(Number);
}
