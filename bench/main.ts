// `npm run bench`: petstore's performance beside other servers.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, release, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { evaluateAims } from "./aims.ts";
import { aimsTable } from "./aims-table.ts";
import type { Bench, Report } from "./bench.ts";
import { commitFloor } from "./commit-floor.ts";
import { compare } from "./compare.ts";
import { growth } from "./growth.ts";
import { startLoadGenerator } from "./load/load-generator.ts";
import { type Command, type Options, readOptions, USAGE } from "./options.ts";
import { installPackages } from "./packages.ts";
import { pinCores } from "./pinning.ts";
import { createProgress } from "./progress.ts";
import { stopServers } from "./server-process.ts";
import { start } from "./start.ts";
import { versus } from "./versus.ts";

type Run = (bench: Bench, options: Options) => Promise<Report>;

const RUNS: Readonly<Record<Exclude<Command, "all">, Run>> = {
  compare: (bench, options) =>
    options.versus === undefined ? compare(bench, options) : versus(bench, options, options.versus),
  "commit-floor": commitFloor,
  start,
  growth,
};

/** Load average over one minute; above it, other programs distort the figures. */
const IDLE_LOAD_MAX = 0.5;

let options: Options;
try {
  options = readOptions(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n${USAGE}\n`);
  process.exit(2);
}
await run(options);

async function run(options: Options): Promise<void> {
  const progress = createProgress();
  await installPackages(progress);
  await using resources = new AsyncDisposableStack();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void resources.disposeAsync().finally(() => process.exit(1)));
  }
  const pinning = await pinCores();
  if (pinning.absence !== undefined) progress.warn(`Not pinned: ${pinning.absence}.`);
  const [load = 0] = loadavg();
  if (load > IDLE_LOAD_MAX)
    progress.warn(
      `The machine is busy (load ${load.toFixed(1)}): all figures will be worse. Stop other programs first.`,
    );
  const generator = resources.use(startLoadGenerator());
  const reports = new Map<string, Report>();
  for (const [command, run] of Object.entries(RUNS)) {
    if (options.command !== "all" && options.command !== command) continue;
    // Also when the run is interrupted; disposing twice does nothing.
    await using own = resources.use(new AsyncDisposableStack());
    const folder = mkdtempSync(join(tmpdir(), "petstore-bench-"));
    own.defer(() => rmSync(folder, { recursive: true, force: true }));
    own.defer(stopServers);
    const report = await run({ folder, pinning, progress, generator, resources: own }, options);
    progress.end();
    process.stdout.write(`${report.text}\n\n`);
    reports.set(command, report);
  }
  const series = [...reports.values()].flatMap((report) => report.series);
  if (series.length > 0) process.stdout.write(`${aimsTable(evaluateAims(series))}\n`);
  const file = await writeJson(options, reports);
  progress.warn(`Figures of every round: ${file}`);
  if ([...reports.values()].some(({ hasFailed }) => hasFailed)) process.exitCode = 1;
}

async function writeJson(
  { jsonFile, command }: Options,
  reports: ReadonlyMap<string, Report>,
): Promise<string> {
  const time = new Date().toISOString();
  const name = `${command}-${time.slice(0, 19).replaceAll(":", "-")}.json`;
  const file = jsonFile ?? Bun.fileURLToPath(new URL(`results/${name}`, import.meta.url));
  mkdirSync(dirname(file), { recursive: true });
  const machine = {
    load: loadavg(),
    processor: cpus()[0]?.model,
    cores: cpus().length,
    kernel: release(),
    bun: Bun.version,
  };
  const results = Object.fromEntries([...reports].map(([command, { json }]) => [command, json]));
  await Bun.write(file, `${JSON.stringify({ time, machine, ...results }, null, 2)}\n`);
  return file;
}
