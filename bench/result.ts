import type { Series } from "./aims.ts";
import type { Measured } from "./load/job.ts";
import { median, spreadOf, summarize } from "./statistics.ts";

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
  /** Share of a core that the database server and other programs used. */
  readonly otherLoad: number;
  /** Of the requests a second, over the rounds. */
  readonly spread: number;
}

export function figuresOf({ rounds }: Cell): Figures {
  const middle = (read: (round: Measured) => number) => median(rounds.map(read));
  return {
    perSecond: middle(perSecondOf),
    cpuMicros: middle(cpuMicrosOf),
    p50Millis: middle(({ p50Micros }) => p50Micros / 1000),
    p99Millis: middle(({ p99Micros }) => p99Micros / 1000),
    serverLoad: middle(({ serverCpuMicros, wallMicros }) => serverCpuMicros / wallMicros),
    generatorLoad: middle(({ generatorCpuMicros, wallMicros }) => generatorCpuMicros / wallMicros),
    otherLoad: middle(({ otherCpuMicros, wallMicros }) => otherCpuMicros / wallMicros),
    spread: spreadOf(summarize(rounds.map(perSecondOf))),
  };
}

/** The figures of each round; of cells without a fault. */
export function seriesOf(
  cells: readonly Cell[],
  peersOf: (server: string) => readonly string[],
): readonly Series[] {
  return cells
    .filter(({ fault, rounds }) => fault === undefined && rounds.length > 0)
    .map(({ work, connections, server, rounds }) => ({
      work,
      connections,
      server,
      peers: peersOf(server),
      perSecond: rounds.map(perSecondOf),
      perCpuSecond: rounds.map((round) => 1e6 / cpuMicrosOf(round)),
      cpuMicros: rounds.map(cpuMicrosOf),
      p50Millis: rounds.map(({ p50Micros }) => p50Micros / 1000),
    }));
}

export function perSecondOf({ answers, wallMicros }: Measured): number {
  return (answers / wallMicros) * 1e6;
}

export function cpuMicrosOf({ serverCpuMicros, answers }: Measured): number {
  return serverCpuMicros / answers;
}
