import { join } from "node:path";
import { freePort } from "../test/postgres/server.ts";
import { type Figures, type Job, runJob } from "./load/run-job.ts";
import type { Options } from "./options.ts";
import { ask, type Target } from "./request.ts";
import { cpuMicros, residentMegabytes, type ServerProcess, startServer } from "./server-process.ts";
import type { Server } from "./servers.ts";
import { tableOf } from "./table.ts";
import type { Work } from "./works.ts";

/** Servers and the workloads to measure. */
export interface Contest {
  readonly title: string;
  /** The first is the subject. */
  readonly servers: readonly Server[];
  readonly works: readonly Work[];
  readonly rounds: number;
  /** True if servers that answer unlike the first are left out. */
  readonly isCompared?: boolean;
}

const LONG_MS = 120_000; // at most, for work with a number of responses

/** Measurements of one server in one round. */
export interface Sample {
  readonly title: string;
  readonly server: string;
  readonly round: number;
  readonly figures: Figures;
}

export interface Bench {
  /** Folder of the run's files; removed at the end. */
  readonly folder: string;
  readonly options: Options;
  /** Disposed of at the end of the run. */
  readonly resources: AsyncDisposableStack;
  /** A well-formed but invalid key. */
  readonly unknownKey: string;
  /** Command, date and machine. */
  readonly origin: string;
}

interface Running extends ServerProcess {
  readonly server: Server;
  readonly target: Target;
  readonly counters: Job["counters"];
}

/** Each round restarts every server, and they take turns at each workload: drift of the machine affects all alike. */
export async function runContest(bench: Bench, contest: Contest): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  const absent = new Set<Server>();
  for (let round = 1; round <= contest.rounds; round++) {
    process.stderr.write(`${contest.title}: round ${round} of ${contest.rounds}\n`);
    await using stack = bench.resources.use(new AsyncDisposableStack());
    const running: Running[] = [];
    const answers = new Map<string, unknown>();
    const servers = contest.servers.filter((one) => !absent.has(one));
    // bare-bun calls the subject at its start, so the subject starts first.
    for (const server of contest.isCompared || round % 2 === 1 ? servers : servers.toReversed())
      try {
        const one = await startOne(bench, server, running[0], stack);
        if (contest.isCompared && round === 1 && server.kind !== "constants")
          await compareAnswers(contest, one, answers);
        running.push(one);
      } catch (error) {
        absent.add(server);
        process.stderr.write(`${server.name} is absent: ${error}\n`);
      }
    samples.push(...(await runRound(bench, contest, running, round)));
  }
  process.stdout.write(
    `### ${contest.title}\n\n${bench.origin}, rounds: ${contest.rounds}.\n\n${tableOf(contest.servers, samples)}\n`,
  );
  return samples;
}

async function startOne(
  { folder, unknownKey }: Bench,
  server: Server,
  subject: Running | undefined,
  stack: AsyncDisposableStack,
): Promise<Running> {
  const { key, animals } = server.store;
  const target = { name: server.name, port: freePort(), key, animals, unknownKey };
  const launch = await server.launch(target, subject?.target);
  const started = await startServer(launch, target, join(folder, `${target.port}.errors`));
  stack.defer(started.stop);
  const counters = async () => ({ "CPU µs": cpuMicros(started.pid), ...(await server.store.counters()) });
  return { ...started, server, target, counters };
}

/** @param answers of the subject, which this server's must equal in status and JSON; the subject fills it */
async function compareAnswers(
  { works }: Contest,
  { server, target }: Running,
  answers: Map<string, unknown>,
): Promise<void> {
  for (const work of works.filter((one) => !isBeyond(one, server))) {
    for (const [index, request] of (await work.requests(target)).slice(0, 3).entries()) {
      const { status, text } = await ask(target, request);
      const answer = [status, JSON.parse(text)];
      const expected = answers.getOrInsert(`${work.name} ${index}`, answer);
      if (!Bun.deepEquals(answer, expected))
        throw new Error(
          `${work.name}: ${JSON.stringify(answer)} where petstore's is ${JSON.stringify(expected)}`,
        );
    }
  }
}

function isBeyond({ beyond }: Work, { kind }: Server): boolean {
  return beyond !== undefined && beyond === kind;
}

function targetOf({ portOf = Number }: Work, { target }: Running): Target {
  return { ...target, port: portOf(target.port) };
}

async function runRound(
  { options }: Bench,
  { works, isCompared }: Contest,
  running: readonly Running[],
  round: number,
): Promise<readonly Sample[]> {
  const { settleMs, warmUpMs, measureMs } = options;
  const samples: Sample[] = [];
  const inTurn = isCompared && round % 2 === 0 ? running.toReversed() : running;
  for (const work of works)
    for (const [turn, connections] of options.connections.entries())
      for (const one of inTurn.filter(({ server }) => !isBeyond(work, server))) {
        const title = `${work.name}, ${connections} clients`;
        try {
          const prepare = async () => ({
            ...one,
            target: targetOf(work, one),
            requests: await work.requests(one.target),
            connections,
          });
          // Load until the JIT compiler has finished with this work.
          if (turn === 0)
            await runJob({ ...(await prepare()), connections: 64, warmUpMs: 0, measureMs: settleMs });
          const { responses } = work;
          const figures = await runJob({
            ...(await prepare()),
            warmUpMs,
            measureMs: responses ? LONG_MS : measureMs,
            responses,
          });
          samples.push({ title, server: one.server.name, round, figures });
        } catch (error) {
          process.exitCode = 1;
          process.stderr.write(`${one.server.name} FAILED at ${title}: ${error}\n`);
        }
      }
  for (const { server, startUpMs, idleMegabytes, pid } of running) {
    const memory = { "MB at rest": idleMegabytes, "MB after load": residentMegabytes(pid) };
    const figures = { "ms to first response": startUpMs, ...memory };
    samples.push({ title: "start-up and memory", server: server.name, round, figures });
  }
  return samples;
}
