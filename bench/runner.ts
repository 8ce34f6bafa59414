import { join } from "node:path";
import { freePort } from "../test/postgres/server.ts";
import type { Leftovers } from "./builds.ts";
import { type Job, runJob } from "./load/run-job.ts";
import type { Options } from "./options.ts";
import { ask, type Target } from "./request.ts";
import { cpuMicros, residentMegabytes, type ServerProcess, startServer } from "./server-process.ts";
import type { Server } from "./servers.ts";
import { type Sample, tableOf } from "./table.ts";
import { type Counts, CREATES, PEERS_CREATES, READS, type Work } from "./works.ts";

/** The servers to compare, and the workloads to measure. */
export interface Contest {
  readonly title: string;
  /** The servers to measure. The first one is compared with all others. */
  readonly servers: readonly Server[];
  readonly works: readonly Work[];
  /** True if a server is left out when its responses differ from those of the first server. */
  readonly isCompared?: boolean;
}

export interface Bench extends Leftovers {
  readonly options: Options;
  /** An API key that is well-formed but does not exist. */
  readonly unknownKey: string;
  /** The command, the date and the machine, to print above the results. */
  readonly origin: string;
}

interface Running extends ServerProcess {
  readonly server: Server;
  readonly target: Target;
  readonly counters: Job["counters"];
}

/**
 * Measures all servers. They run at the same time, but are measured in turn, with a few thousand requests each time. Anything that
 * slows the machine therefore slows all servers equally.
 */
export async function runContest(bench: Bench, contest: Contest): Promise<readonly Sample[]> {
  await using stack = bench.resources.use(new AsyncDisposableStack());
  const running = await startAll(bench, contest, stack);
  const samples: Sample[] = [];
  for (const work of contest.works)
    for (const connections of bench.options.connections) {
      process.stderr.write(`${contest.title}: ${work.name}, ${connections} clients\n`);
      const able = running.filter(({ server }) => !isBeyond(work, server));
      samples.push(...(await runSlices(bench, work, connections, able)));
    }
  for (const { server, idleMegabytes, pid } of running) {
    const figures = { "MB at rest": idleMegabytes, "MB after load": residentMegabytes(pid) };
    samples.push({ title: "memory", server: server.name, slice: 0, figures });
  }
  print(bench, contest, samples);
  return samples;
}

/** Starts and stops each server several times, and measures the time from the start until its first response. */
export async function runStarts(bench: Bench, title: string, servers: readonly Server[]): Promise<void> {
  const samples: Sample[] = [];
  for (let slice = 1; slice <= bench.options.slices; slice++)
    for (const server of slice % 2 === 0 ? servers.toReversed() : servers) {
      await using stack = bench.resources.use(new AsyncDisposableStack());
      const { startUpMs, idleMegabytes } = await startOne(bench, server, undefined, stack);
      const figures = { "ms to first response": startUpMs, "MB at rest": idleMegabytes };
      samples.push({ title: "start", server: server.name, slice, figures });
    }
  print(bench, { title, servers }, samples);
}

function print({ origin, options }: Bench, { title, servers }: Omit<Contest, "works">, samples: Sample[]) {
  const table = tableOf(servers, samples);
  process.stdout.write(`### ${title}\n\n${origin}, slices: ${options.slices}.\n\n${table}\n`);
}

async function startAll(
  bench: Bench,
  contest: Contest,
  stack: AsyncDisposableStack,
): Promise<readonly Running[]> {
  const running: Running[] = [];
  const answers = new Map<string, unknown>();
  // The first server must start first, because the server bare-bun fetches its response from it.
  for (const server of contest.servers)
    try {
      const one = await startOne(bench, server, running[0], stack);
      if (contest.isCompared && server.kind !== "constants") await compareAnswers(contest, one, answers);
      running.push(one);
    } catch (error) {
      process.stderr.write(`${server.name} is absent: ${error}\n`);
    }
  return running;
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

/**
 * Checks that a server gives the same responses as the first server, in status and JSON.
 *
 * @param answers a map of the first server's responses, which is filled when that server itself is checked
 */
async function compareAnswers(
  { works }: Contest,
  { server, target }: Running,
  answers: Map<string, unknown>,
): Promise<void> {
  for (const work of works.filter((one) => !isBeyond(one, server))) {
    for (const [index, request] of (await work.requests(target)).slice(0, 3).entries()) {
      const { status, text } = await ask(target, request);
      const answer = [status, JSON.parse(text, (member, value) => (isTime(member) ? undefined : value))];
      const expected = answers.getOrInsert(`${work.name} ${index}`, answer);
      if (!Bun.deepEquals(answer, expected))
        throw new Error(
          `${work.name}: ${JSON.stringify(answer)} where petstore's is ${JSON.stringify(expected)}`,
        );
    }
  }
}

/** Returns true if the JSON member with this name contains a time. Times differ between any two servers. */
function isTime(member: string): boolean {
  return member === "createdAt";
}

function isBeyond({ beyond, peers }: Work, { name, kind }: Server): boolean {
  if (kind !== undefined && peers !== undefined) return !peers.includes(name);
  return beyond !== undefined && beyond === kind;
}

function countsOf({ counts, changes }: Work, { kind }: Server): Counts {
  if (counts !== undefined) return counts;
  if (!changes) return READS;
  return kind === "peers" ? PEERS_CREATES : CREATES;
}

async function runSlices(
  { options }: Bench,
  work: Work,
  connections: number,
  running: readonly Running[],
): Promise<readonly Sample[]> {
  const title = `${work.name}, ${connections} clients`;
  const samples: Sample[] = [];
  const failed = new Set<Running>();
  for (let slice = 0; slice <= options.slices; slice++)
    for (const one of slice % 2 === 0 ? running.toReversed() : running) {
      if (failed.has(one)) continue;
      const { server, target, counters } = one;
      const { settle, warmUp, measure } = countsOf(work, server);
      // The first measurement is discarded, because the runtime is still compiling the code.
      const [before, during] = slice === 0 ? [settle, 1] : [warmUp, measure];
      try {
        const figures = await runJob({
          ...{ counters, connections, requests: await work.requests(target) },
          target: { ...target, port: (work.portOf ?? Number)(target.port) },
          warmUp: Math.ceil(before / options.shortening),
          responses: Math.ceil(during / options.shortening),
        });
        if (slice > 0) samples.push({ title, server: server.name, slice, figures });
      } catch (error) {
        failed.add(one);
        process.exitCode = 1;
        process.stderr.write(`${server.name} FAILED at ${title}: ${error}\n`);
      }
    }
  return samples;
}
