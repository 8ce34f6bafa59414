import { CREATE, READS } from "./growth-works.ts";
import { ratios, type Summary, summarize } from "./statistics.ts";

/** What one server did at one workload: the figures of each round. */
export interface Series {
  readonly work: string;
  readonly connections: number;
  readonly server: string;
  /** The servers of EVERY_PEER. */
  readonly peers: readonly string[];
  readonly perSecond?: readonly number[];
  readonly perCpuSecond?: readonly number[];
  readonly cpuMicros?: readonly number[];
  readonly p50Millis?: readonly number[];
}

export type Figure = "perSecond" | "perCpuSecond" | "cpuMicros" | "p50Millis";

/** A bound on the ratio of two servers' figures, or on the figure itself. */
export interface Aim {
  readonly goal: string;
  /** It has to hold for each. */
  readonly works: readonly string[];
  readonly connections: number;
  readonly server: string;
  readonly figure: Figure;
  /** A server or EVERY_PEER. Absent, the figure itself is bounded. */
  readonly against?: string;
  readonly bound: { readonly atMost: number } | { readonly atLeast: number };
}

export const EVERY_PEER = "every peer";

const ours = { server: "petstore", connections: 64 };
const cpuOfBare = { ...ours, figure: "cpuMicros", against: "bare-bun" } as const;
/** Reads: other programs take time of the core, not of the process. */
const read = { ...ours, figure: "perCpuSecond" } as const;
/** Writes wait for the disk, and PostgreSQL's work is not the server's. */
const ofPostgres = {
  server: "petstore-postgres",
  connections: 64,
  figure: "perSecond",
  against: "fastify-pg",
} as const;

export const AIMS: readonly Aim[] = [
  { goal: "hot page", works: ["list-hot"], ...cpuOfBare, bound: { atMost: 1.6 } },
  {
    ...read,
    goal: "hot page",
    works: ["list-hot"],
    against: "fastify-better-sqlite3",
    bound: { atLeast: 8 },
  },
  { goal: "cold page", works: ["list-pages"], ...cpuOfBare, bound: { atMost: 4.5 } },
  {
    ...read,
    goal: "cold page",
    works: ["list-pages"],
    against: "elysia-bun-sqlite",
    bound: { atLeast: 1.8 },
  },
  { ...read, goal: "cold page", works: ["list-pages"], against: EVERY_PEER, bound: { atLeast: 1 } },
  {
    ...read,
    goal: "one animal; 401",
    works: ["get", "unauthorized"],
    against: EVERY_PEER,
    bound: { atLeast: 1.2 },
  },
  { goal: "create, 100 categories", works: ["create"], ...cpuOfBare, bound: { atMost: 3.2 } },
  {
    ...ours,
    figure: "perSecond",
    goal: "create, 100 categories",
    works: ["create"],
    against: EVERY_PEER,
    bound: { atLeast: 8 },
  },
  {
    goal: "create alone",
    works: ["create-alone"],
    server: "petstore",
    connections: 1,
    figure: "p50Millis",
    against: "floor",
    bound: { atMost: 1.2 },
  },
  { ...ofPostgres, goal: "PostgreSQL: create", works: ["create"], bound: { atLeast: 3 } },
  { ...ofPostgres, goal: "PostgreSQL: create with a key", works: ["create-once"], bound: { atLeast: 3 } },
  { ...ofPostgres, goal: "PostgreSQL: list", works: ["list-hot", "list-pages"], bound: { atLeast: 2.5 } },
  ...[
    { server: "from source", atMost: 200 },
    { server: "executable", atMost: 110 },
  ].map(
    ({ server, atMost }): Aim => ({
      goal: "start to first response",
      works: ["start"],
      connections: 1,
      server,
      figure: "p50Millis",
      bound: { atMost },
    }),
  ),
  {
    goal: "10,000,000 animals: every read and create",
    works: [...READS, CREATE],
    connections: 64,
    server: "10000000",
    figure: "cpuMicros",
    against: "1000",
    bound: { atMost: 1.2 },
  },
];

export interface AimResult {
  readonly aim: Aim;
  /** Of the workload and the other server that are nearest to missing it, or miss it most. */
  readonly measured: Summary;
  readonly decidedBy: string;
  readonly isMet: boolean;
  /** The rounds differ by more than the middle is away from the bound. */
  readonly isWithinNoise: boolean;
}

/** The aims that were measured. */
export function evaluateAims(series: readonly Series[], aims: readonly Aim[] = AIMS): readonly AimResult[] {
  return aims.flatMap((aim) => {
    const results = aim.works.flatMap((work) => resultsFor(aim, work, series));
    const [worst] = results.sort((a, b) => marginOf(a) - marginOf(b));
    return worst === undefined ? [] : [worst];
  });
}

function resultsFor(aim: Aim, work: string, series: readonly Series[]): readonly AimResult[] {
  const same = series.filter((one) => one.work === work && one.connections === aim.connections);
  const own = same.find(({ server }) => server === aim.server);
  const figures = own?.[aim.figure];
  if (own === undefined || figures === undefined) return [];
  if (aim.against === undefined) return [resultOf(aim, summarize(figures), work)];
  const others = aim.against === EVERY_PEER ? own.peers : [aim.against];
  return same
    .filter(({ server }) => others.includes(server))
    .flatMap((other) => {
      const theirs = other[aim.figure];
      return theirs === undefined ? [] : [resultOf(aim, ratios(figures, theirs), `${work}, ${other.server}`)];
    });
}

function resultOf(aim: Aim, measured: Summary, decidedBy: string): AimResult {
  const { middle, low, high } = measured;
  const isMet = "atMost" in aim.bound ? middle <= aim.bound.atMost : middle >= aim.bound.atLeast;
  return { aim, measured, decidedBy, isMet, isWithinNoise: high - low > Math.abs(middle - boundOf(aim)) };
}

/** Above 1 it is met. */
function marginOf({ aim, measured: { middle } }: AimResult): number {
  return "atMost" in aim.bound ? aim.bound.atMost / middle : middle / aim.bound.atLeast;
}

export function boundOf({ bound }: Aim): number {
  return "atMost" in bound ? bound.atMost : bound.atLeast;
}
