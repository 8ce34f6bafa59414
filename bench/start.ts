import { join } from "node:path";
import { buildExecutable } from "../scripts/build/executable.ts";
import { hostTarget } from "../scripts/build/targets.ts";
import type { Series } from "./aims.ts";
import type { Bench, Report } from "./bench.ts";
import type { Options } from "./options.ts";
import { OURS, PROJECT } from "./our-commands.ts";
import { freePort, startServer } from "./server-process.ts";
import { median, summarize } from "./statistics.ts";
import { prepareOurStore } from "./stores.ts";
import { markdown } from "./table.ts";

const ANIMALS = 1_000;
const STARTS_PER_ROUND = 7;
const OTHER_PORTS = ["staging", "messages", "metrics"].flatMap((name) => [`--${name}-port`, "0"]);

/** `petstore serve`, with all its services, from the command to the first page of animals. */
export async function start(bench: Bench, options: Options): Promise<Report> {
  const { folder, progress } = bench;
  const dataDir = join(folder, "start");
  const key = await prepareOurStore(dataDir, ANIMALS, OURS);
  const programs = await programsIn(bench);
  // The first start creates the other databases and is not counted.
  for (const [, command] of programs) await startOnce(bench, command, { dataDir, key });
  const rounds = new Map<string, number[]>(programs.map(([name]) => [name, []]));
  for (let round = 1; round <= options.rounds; round++) {
    progress.step(`round ${round} of ${options.rounds}: start`);
    const times = new Map<string, number[]>(programs.map(([name]) => [name, []]));
    for (let turn = 0; turn < STARTS_PER_ROUND; turn++)
      for (const [name, command] of programs)
        times.get(name)?.push(await startOnce(bench, command, { dataDir, key }));
    for (const [name, all] of times) rounds.get(name)?.push(median(all));
  }
  const series: readonly Series[] = [...rounds].map(([server, p50Millis]) => ({
    work: "start",
    connections: 1,
    server,
    peers: [],
    p50Millis,
  }));
  return { text: tableOf(rounds), json: { starts: series }, series, hasFailed: false };
}

async function programsIn({ folder, progress }: Bench): Promise<readonly [string, readonly string[]][]> {
  const bun = process.execPath;
  const target = hostTarget();
  const programs: [string, readonly string[]][] = [
    ["from source", OURS.command()],
    ["from source, without Node", [bun, `${PROJECT}src/main.ts`]],
  ];
  if (target === undefined) return programs;
  progress.step("building the executable");
  const executable = join(folder, "petstore");
  await buildExecutable(target, executable);
  return [...programs, ["executable", [executable]]];
}

async function startOnce(
  { folder, pinning }: Bench,
  program: readonly string[],
  { dataDir, key }: { readonly dataDir: string; readonly key: string },
): Promise<number> {
  const port = freePort();
  const command = [
    ...program,
    "serve",
    ...["--data-dir", dataDir, "--production-port", String(port)],
    ...OTHER_PORTS,
  ];
  const server = await startServer(
    { command, env: {}, port, key, errorFile: join(folder, "start.errors") },
    pinning,
  );
  await server.stop();
  return server.startUpMs;
}

function tableOf(rounds: ReadonlyMap<string, readonly number[]>): string {
  const rows = [...rounds].map(([name, all]) => {
    const { middle, low, high } = summarize(all);
    return [name, middle.toFixed(0), `${low.toFixed(0)}–${high.toFixed(0)}`];
  });
  const head = ["petstore serve", "ms", "rounds"];
  return `from the command to the first response, the median of ${STARTS_PER_ROUND} starts a round\n\n${markdown([head, ...rows])}`;
}
