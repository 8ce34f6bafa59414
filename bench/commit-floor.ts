import { writeFileSync } from "node:fs";
import type { Series } from "./aims.ts";
import { prepareBackends } from "./backends.ts";
import type { Bench, Report } from "./bench.ts";
import { recordConstants } from "./constants.ts";
import { type Backends, CONTESTANTS } from "./contestants.ts";
import type { Options } from "./options.ts";
import { launch } from "./rounds.ts";
import type { ServerProcess } from "./server-process.ts";
import { median } from "./statistics.ts";
import { productionFile } from "./stores.ts";
import { markdown } from "./table.ts";
import { create, times } from "./work.ts";

const ROUNDS_PER_ROUND = 2;

/** The latency of a create for one client, beside its lower bound. */
export async function commitFloor(bench: Bench, options: Options): Promise<Report> {
  const { progress } = bench;
  const backends = await prepareBackends(bench, []);
  const figures: { create: number; insert: number; exchange: number }[] = [];
  const rounds = options.rounds * ROUNDS_PER_ROUND;
  for (let round = 1; round <= rounds; round++) {
    progress.step(`round ${round} of ${rounds}`);
    figures.push({
      create: await createMicros(bench, options, backends, "petstore"),
      insert: await insertMicros(bench, options, backends),
      exchange: await createMicros(bench, options, backends, "bare-bun"),
    });
  }
  const insert = median(figures.map((round) => round.insert));
  const exchange = median(figures.map((round) => round.exchange));
  const own = median(figures.map((round) => round.create));
  const ratio = own / (insert + exchange);
  const rows = [
    ["one client alone, p50", "µs"],
    ["a bare INSERT with its commit", insert.toFixed(0)],
    ["a bare exchange over HTTP", exchange.toFixed(0)],
    ["the floor: both together", (insert + exchange).toFixed(0)],
    ["petstore: POST /v1/pets", own.toFixed(0)],
  ];
  return {
    text: `${markdown(rows)}\n\n${ratio.toFixed(2)} times the floor.`,
    json: { rounds: figures, insert, exchange, create: own, ratio },
    series: [
      alone(
        "petstore",
        figures.map((round) => round.create),
      ),
      alone(
        "floor",
        figures.map((round) => round.insert + round.exchange),
      ),
    ],
    hasFailed: false,
  };
}

function alone(server: string, micros: readonly number[]): Series {
  const p50Millis = micros.map((one) => one / 1000);
  return { work: "create-alone", connections: 1, server, peers: [], p50Millis };
}

async function insertMicros(
  { pinning }: Bench,
  { measureMs }: Options,
  { sqlite }: Backends,
): Promise<number> {
  const program = Bun.fileURLToPath(new URL("bare-insert.ts", import.meta.url));
  const command = [process.execPath, program, productionFile(sqlite.ourDataDir()), String(measureMs)];
  const child = Bun.spawn([...pinning.forServer(command)], { stdout: "pipe" });
  return Number(await new Response(child.stdout).text());
}

async function createMicros(
  bench: Bench,
  options: Options,
  backends: Backends,
  name: string,
): Promise<number> {
  const contestant = CONTESTANTS.find((one) => one.name === name);
  if (contestant === undefined) throw new Error(`There is no ${name}.`);
  const server = await launch({ ...bench, backends }, contestant);
  try {
    if (contestant.part === "ours")
      writeFileSync(backends.constantsFile, JSON.stringify(await recordConstants(server)));
    return await askAlone(bench, options, server);
  } finally {
    await server.stop();
  }
}

async function askAlone(
  { generator }: Bench,
  { warmUpMs, measureMs }: Options,
  server: ServerProcess,
): Promise<number> {
  const { port, pid } = server;
  const requests = times(500, (index) => create(server, index));
  // The JIT compiler has not finished in a server that has just started.
  const warmUp = { port, pid, connections: 64, warmUpMs, measureMs: warmUpMs, requests };
  await generator.run(warmUp);
  const outcome = await generator.run({ ...warmUp, connections: 1, measureMs });
  if ("fault" in outcome) throw new Error(outcome.fault);
  return outcome.measured.p50Micros;
}
