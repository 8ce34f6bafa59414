import { join } from "node:path";
import { prepareBackends } from "./backends.ts";
import type { Bench, Report } from "./bench.ts";
import { checkOut } from "./checkout.ts";
import { PAGES } from "./compare.ts";
import type { Backends, Contestant } from "./contestants.ts";
import type { Measured } from "./load/job.ts";
import type { Options } from "./options.ts";
import { type Build, OURS } from "./our-commands.ts";
import { followPages } from "./pages.ts";
import { cpuMicrosOf } from "./result.ts";
import { launch, settle } from "./rounds.ts";
import type { ServerProcess } from "./server-process.ts";
import { median, ratios } from "./statistics.ts";
import { markdown } from "./table.ts";
import type { Work } from "./work.ts";

const ROUNDS_PER_ROUND = 2;

interface Side {
  readonly backends: Backends;
  /** Paths of pages; a cursor holds for every copy of its store. */
  pages: readonly string[];
}

interface Running extends Side {
  readonly server: ServerProcess;
}

interface Pair {
  readonly server: string;
  readonly work: string;
  readonly connections: number;
  readonly base: Measured[];
  readonly here: Measured[];
}

/** Another commit and this folder, in turn at every workload; each round starts both anew. */
export async function versus(bench: Bench, options: Options, commit: string): Promise<Report> {
  const contestants = options.contestants.filter(({ part }) => part === "ours");
  const sideOf = async (build: Build, name: string): Promise<Side> => ({
    backends: await prepareBackends(bench, contestants, { folder: join(bench.folder, name), build }),
    pages: [],
  });
  const base = await sideOf(await checkOut(bench, commit), "base");
  const here = await sideOf(OURS, "here");
  const pairs = contestants.flatMap(({ name }) => pairsOf(name, options));
  const rounds = options.rounds * ROUNDS_PER_ROUND;
  for (let round = 1; round <= rounds; round++) {
    for (const contestant of contestants) {
      bench.progress.step(`round ${round} of ${rounds}: ${contestant.name}`);
      const own = pairs.filter(({ server }) => server === contestant.name);
      await measureRound(bench, options, {
        contestant,
        base,
        here,
        pairs: own,
        isHereFirst: round % 2 === 0,
      });
    }
  }
  return { text: tableOf(commit, pairs), json: { commit, pairs }, series: [], hasFailed: false };
}

function pairsOf(server: string, { works, connections }: Options): readonly Pair[] {
  return works.flatMap((work) =>
    (connections ?? work.connections).map(
      (count): Pair => ({ server, work: work.name, connections: count, base: [], here: [] }),
    ),
  );
}

interface Round {
  readonly contestant: Contestant;
  readonly base: Side;
  readonly here: Side;
  readonly pairs: readonly Pair[];
  readonly isHereFirst: boolean;
}

async function measureRound(bench: Bench, options: Options, round: Round): Promise<void> {
  await using servers = new AsyncDisposableStack();
  async function running(side: Side): Promise<Running> {
    const { backends } = side;
    const server = await launch({ ...bench, backends }, round.contestant);
    servers.defer(() => server.stop());
    if (side.pages.length === 0) side.pages = await followPages(server, PAGES);
    await settle({ ...bench, ...options, backends }, side, server);
    return { ...side, server };
  }
  // The one that starts first has been compiled for longer.
  const order = round.isHereFirst ? (["here", "base"] as const) : (["base", "here"] as const);
  const sides: (readonly ["base" | "here", Running])[] = [];
  for (const name of order) sides.push([name, await running(round[name])]);
  for (const pair of round.pairs) {
    const work = options.works.find(({ name }) => name === pair.work);
    if (work === undefined) continue;
    for (const [name, side] of sides) pair[name].push(await measure(bench, options, { side, work, pair }));
  }
}

async function measure(
  { generator }: Bench,
  { warmUpMs, measureMs }: Options,
  { side, work, pair }: { readonly side: Running; readonly work: Work; readonly pair: Pair },
): Promise<Measured> {
  const { server, pages, backends } = side;
  const { port, pid, key } = server;
  const requests = await work.requests({ port, key, pages, unknownKey: backends.sqlite.unknownKey });
  const { connections } = pair;
  const outcome = await generator.run({ port, pid, connections, warmUpMs, measureMs, requests });
  if ("fault" in outcome) throw new Error(`${pair.server}, ${pair.work}: ${outcome.fault.slice(0, 500)}`);
  return outcome.measured;
}

function tableOf(commit: string, pairs: readonly Pair[]): string {
  const rows = pairs.map(({ server, work, connections, base, here }) => {
    const [before, after] = [base.map(cpuMicrosOf), here.map(cpuMicrosOf)];
    const { middle, low, high } = ratios(after, before);
    return [
      `${server}, ${work}`,
      String(connections),
      median(before).toFixed(1),
      median(after).toFixed(1),
      middle.toFixed(3),
      `${low.toFixed(2)}–${high.toFixed(2)}`,
      low <= 1 && high >= 1 ? "within noise" : middle < 1 ? "less" : "MORE",
    ];
  });
  const head = ["CPU µs a request", "clients", commit, "here", "ratio", "rounds", ""];
  return `The working tree beside ${commit}, in turn; CPU of the server's process alone\n\n${markdown([head, ...rows])}`;
}
