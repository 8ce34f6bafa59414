import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { recordConstants } from "./constants.ts";
import { absenceOf, type Contestant, type Ground } from "./contestants.ts";
import type { LoadGenerator } from "./load/load-generator.ts";
import { followPages } from "./pages.ts";
import type { Pinning } from "./pinning.ts";
import type { Progress } from "./progress.ts";
import type { Cell, Results, ServerRecord } from "./result.ts";
import { differences, type ProbeAnswer, probeAnswers } from "./same-answers.ts";
import { freePort, type ServerProcess, startServer } from "./server-process.ts";
import type { Work } from "./work.ts";

/** What one run does, and with what. */
export interface Run {
  readonly folder: string;
  readonly ground: Ground;
  readonly pinning: Pinning;
  readonly generator: LoadGenerator;
  readonly progress: Progress;
  readonly rounds: number;
  /** How long a server is busy before its first measurement: until then much of it is still being compiled. */
  readonly settleMs: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
  readonly works: readonly Work[];
  /** Instead of each kind of work's own numbers of clients. */
  readonly connections: readonly number[] | undefined;
  /** How many different pages are asked for. */
  readonly pages: number;
}

/** A server with what has been learned of it in earlier rounds. */
interface Seat {
  readonly contestant: Contestant;
  readonly record: ServerRecord;
  readonly cells: Map<string, Cell>;
  pages: readonly string[];
}

/** Lets every server do all the work, then every server again: what drifts in the machine meets all alike. */
export async function runRounds(run: Run, contestants: readonly Contestant[]): Promise<Results> {
  const seats = contestants.map((contestant) => seatOf(contestant, run.ground));
  const reference: { answers?: readonly ProbeAnswer[] } = {};
  for (let round = 1; round <= run.rounds; round++) {
    for (const seat of seats.filter(({ record }) => record.absence === undefined)) {
      run.progress.step(`round ${round} of ${run.rounds}: ${seat.contestant.name}`);
      await takeTurn(run, seat, round === 1 ? reference : undefined);
    }
  }
  return {
    servers: seats.map(({ record }) => record),
    cells: seats.flatMap(({ cells }) => [...cells.values()]),
  };
}

function seatOf(contestant: Contestant, ground: Ground): Seat {
  const { name, engine, part } = contestant;
  const absence = absenceOf(contestant, ground);
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

async function takeTurn(run: Run, seat: Seat, reference: { answers?: readonly ProbeAnswer[] } | undefined) {
  const { record } = seat;
  let server: ServerProcess;
  try {
    server = await launch(run, seat.contestant);
  } catch (error) {
    record.absence = String(error);
    run.progress.warn(`${record.name}: ${record.absence}`);
    return;
  }
  try {
    record.startUpMs.push(server.startUpMs);
    record.idleBytes.push(server.residentBytes());
    if (reference !== undefined) await learn(run, seat, server, reference);
    await settle(run, seat, server);
    for (const work of run.works) await doWork(run, seat, server, work);
    record.loadedBytes.push(server.residentBytes());
  } finally {
    await server.stop();
  }
}

export async function launch(
  { ground, pinning, folder }: Pick<Run, "ground" | "pinning" | "folder">,
  contestant: Contestant,
): Promise<ServerProcess> {
  const port = freePort();
  const { command, env = {}, key } = await contestant.launch(ground, port);
  const errorFile = join(folder, `${contestant.name}.errors`);
  return startServer({ command, env, port, key, errorFile }, pinning);
}

/** Before anything is measured: whether it answers as ours does, and which pages it has. */
async function learn(
  { ground, progress, pages }: Run,
  seat: Seat,
  server: ServerProcess,
  reference: { answers?: readonly ProbeAnswer[] },
): Promise<void> {
  const { contestant, record } = seat;
  if (contestant.part === "limit") return;
  const answers = await probeAnswers(server, ground.sqlite.unknownKey);
  reference.answers ??= answers;
  record.differences = differences(reference.answers, answers);
  for (const difference of record.differences) progress.warn(`${record.name} differs: ${difference}`);
  seat.pages = await followPages(server, pages);
  if (contestant.part === "ours" && contestant.engine === "sqlite")
    writeFileSync(ground.constantsFile, JSON.stringify(await recordConstants(server)));
}

async function settle({ generator, settleMs, works, ground }: Run, { pages }: Seat, server: ServerProcess) {
  const { port, key, pid } = server;
  const [first] = works;
  const shots = await first?.shots({ port, key, pages, unknownKey: ground.sqlite.unknownKey });
  if (shots === undefined || shots.length === 0) return;
  await generator.run({ port, pid, connections: 64, warmUpMs: settleMs, measureMs: 100, shots });
}

async function doWork(run: Run, seat: Seat, server: ServerProcess, work: Work): Promise<void> {
  const { contestant, cells } = seat;
  const isLimit = contestant.part === "limit";
  if (isLimit && work.isBeyondConstants) return;
  const pages = isLimit ? ["/v1/pets?limit=20"] : seat.pages;
  const { port, key, pid } = server;
  for (const connections of run.connections ?? work.connections) {
    run.progress.detail(`${work.name}, ${connections} clients`);
    const name = `${work.name} ${connections}`;
    const cell = cells.get(name) ?? { work: work.name, connections, server: contestant.name, rounds: [] };
    cells.set(name, cell);
    const shots = await work.shots({ port, key, unknownKey: run.ground.sqlite.unknownKey, pages });
    const { warmUpMs, measureMs } = run;
    const outcome = await run.generator.run({ port, pid, connections, warmUpMs, measureMs, shots });
    if ("measured" in outcome) cell.rounds.push(outcome.measured);
    else {
      cell.fault = outcome.fault;
      run.progress.warn(`FAILED ${contestant.name}, ${name}: ${outcome.fault.slice(0, 500)}`);
    }
  }
}
