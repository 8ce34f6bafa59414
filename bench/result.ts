import type { Measured } from "./load/job.ts";

/** One server, one workload and one number of clients: the figures of each round. */
export interface Cell {
  readonly work: string;
  readonly connections: number;
  readonly server: string;
  readonly rounds: Measured[];
  /** With a fault, the figures do not count. */
  fault?: string;
}

export interface ServerRecord {
  readonly name: string;
  readonly engine: "sqlite" | "postgres";
  readonly part: "ours" | "peer" | "limit";
  readonly startUpMs: number[];
  readonly idleBytes: number[];
  readonly loadedBytes: number[];
  /** Why it could not run. */
  absence?: string;
  /** Where its responses differ from petstore's. */
  differences: readonly string[];
}

export interface Results {
  readonly servers: readonly ServerRecord[];
  readonly cells: readonly Cell[];
}

/** The median of the rounds for each figure. */
export interface Figures {
  readonly perSecond: number;
  readonly cpuMicros: number;
  readonly p50Millis: number;
  readonly p99Millis: number;
  /** Share of its core in use. */
  readonly serverLoad: number;
  readonly generatorLoad: number;
}

export function figuresOf({ rounds }: Cell): Figures {
  const middle = (read: (round: Measured) => number) => median(rounds.map(read));
  return {
    perSecond: middle(({ answers, wallMicros }) => (answers / wallMicros) * 1e6),
    cpuMicros: middle(({ serverCpuMicros, answers }) => serverCpuMicros / answers),
    p50Millis: middle(({ p50Micros }) => p50Micros / 1000),
    p99Millis: middle(({ p99Micros }) => p99Micros / 1000),
    serverLoad: middle(({ serverCpuMicros, wallMicros }) => serverCpuMicros / wallMicros),
    generatorLoad: middle(({ generatorCpuMicros, wallMicros }) => generatorCpuMicros / wallMicros),
  };
}

/** NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (upper + lower) / 2;
}
