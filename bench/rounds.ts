import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { recordConstants } from "./constants.ts";
import { absenceOf, type Backends, type Contestant } from "./contestants.ts";
import type { LoadGenerator } from "./load/load-generator.ts";
import { followPages } from "./pages.ts";
import type { Pinning } from "./pinning.ts";
import type { Progress } from "./progress.ts";
import type { Cell, Results, ServerRecord } from "./result.ts";
import { differences, type ProbeAnswer, probeAnswers } from "./same-answers.ts";
import { freePort, type ServerProcess, startServer } from "./server-process.ts";
import type { Work } from "./work.ts";

export interface Run {
  readonly folder: string;
  readonly backends: Backends;
  readonly pinning: Pinning;
  readonly generator: LoadGenerator;
  readonly progress: Progress;
  readonly rounds: number;
  /** Load before a server's first measurement, until the JIT compiler has finished. */
  readonly settleMs: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
  readonly works: readonly Work[];
  /** Replaces each workload's own numbers of clients. */
  readonly connections: readonly number[] | undefined;
  /** Number of different pages requested. */
  readonly pages: number;
}

/** A server with its results so far. */
interface Participant {
  readonly contestant: Contestant;
  readonly record: ServerRecord;
  readonly cells: Map<string, Cell>;
  pages: readonly string[];
}

/** Interleaves the rounds of all servers, so that a drift of the machine affects all alike. */
export async function runRounds(run: Run, contestants: readonly Contestant[]): Promise<Results> {
  const participants = contestants.map((contestant) => participantOf(contestant, run.backends));
  const reference: { answers?: readonly ProbeAnswer[] } = {};
  for (let round = 1; round <= run.rounds; round++) {
    for (const participant of participants.filter(({ record }) => record.absence === undefined)) {
      run.progress.step(`round ${round} of ${run.rounds}: ${participant.contestant.name}`);
      await runRound(run, participant, round === 1 ? reference : undefined);
    }
  }
  return {
    servers: participants.map(({ record }) => record),
    cells: participants.flatMap(({ cells }) => [...cells.values()]),
  };
}

function participantOf(contestant: Contestant, backends: Backends): Participant {
  const { name, engine, part } = contestant;
  const absence = absenceOf(contestant, backends);
  const record: ServerRecord = {
    name,
    engine,
    part,
    startUpMs: [],
    idleBytes: [],
    loadedBytes: [],
    differences: [],
    ...(absence !== undefined && { absence }),
  };
  return { contestant, record, cells: new Map(), pages: [] };
}

async function runRound(
  run: Run,
  participant: Participant,
  reference: { answers?: readonly ProbeAnswer[] } | undefined,
) {
  const { record } = participant;
  let server: ServerProcess;
  try {
    server = await launch(run, participant.contestant);
  } catch (error) {
    record.absence = String(error);
    run.progress.warn(`${record.name}: ${record.absence}`);
    return;
  }
  try {
    record.startUpMs.push(server.startUpMs);
    record.idleBytes.push(server.residentBytes());
    if (reference !== undefined) await learn(run, participant, server, reference);
    await settle(run, participant, server);
    for (const work of run.works) await doWork(run, participant, server, work);
    record.loadedBytes.push(server.residentBytes());
  } finally {
    await server.stop();
  }
}

export async function launch(
  { backends, pinning, folder }: Pick<Run, "backends" | "pinning" | "folder">,
  contestant: Contestant,
): Promise<ServerProcess> {
  const port = freePort();
  const { command, env = {}, key } = await contestant.launch(backends, port);
  const errorFile = join(folder, `${contestant.name}.errors`);
  return startServer({ command, env, port, key, errorFile }, pinning);
}

/** Before the measurement: compares the responses with petstore's and collects the paths of its pages. */
async function learn(
  { backends, progress, pages }: Run,
  participant: Participant,
  server: ServerProcess,
  reference: { answers?: readonly ProbeAnswer[] },
): Promise<void> {
  const { contestant, record } = participant;
  if (contestant.part === "limit") return;
  const answers = await probeAnswers(server, backends.sqlite.unknownKey);
  reference.answers ??= answers;
  record.differences = differences(reference.answers, answers);
  for (const difference of record.differences) progress.warn(`${record.name} differs: ${difference}`);
  participant.pages = await followPages(server, pages);
  if (contestant.part === "ours" && contestant.engine === "sqlite")
    writeFileSync(backends.constantsFile, JSON.stringify(await recordConstants(server)));
}

/** Load until the JIT compiler has finished. */
export async function settle(
  { generator, settleMs, works, backends }: Pick<Run, "generator" | "settleMs" | "works" | "backends">,
  { pages }: Pick<Participant, "pages">,
  server: ServerProcess,
) {
  const { port, key, pid } = server;
  const [first] = works;
  const requests = await first?.requests({ port, key, pages, unknownKey: backends.sqlite.unknownKey });
  if (requests === undefined || requests.length === 0) return;
  await generator.run({ port, pid, connections: 64, warmUpMs: settleMs, measureMs: 100, requests });
}

async function doWork(run: Run, participant: Participant, server: ServerProcess, work: Work): Promise<void> {
  const { contestant, cells } = participant;
  const isLimit = contestant.part === "limit";
  if (isLimit && work.isBeyondConstants) return;
  const pages = isLimit ? ["/v1/pets?limit=20"] : participant.pages;
  const { port, key, pid } = server;
  for (const connections of run.connections ?? work.connections) {
    run.progress.detail(`${work.name}, ${connections} clients`);
    const name = `${work.name} ${connections}`;
    const cell = cells.get(name) ?? { work: work.name, connections, server: contestant.name, rounds: [] };
    cells.set(name, cell);
    const requests = await work.requests({ port, key, unknownKey: run.backends.sqlite.unknownKey, pages });
    const { warmUpMs, measureMs } = run;
    const outcome = await run.generator.run({ port, pid, connections, warmUpMs, measureMs, requests });
    if ("measured" in outcome) cell.rounds.push(outcome.measured);
    else {
      cell.fault = outcome.fault;
      run.progress.warn(`FAILED ${contestant.name}, ${name}: ${outcome.fault.slice(0, 500)}`);
    }
  }
}
