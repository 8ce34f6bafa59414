// `npm run bench`: petstore's performance beside other servers.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, release, tmpdir } from "node:os";
import { dirname, join } from "node:path";
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

const RUNS: Record<Command, (bench: Bench, options: Options) => Promise<Report>> = {
  compare,
  "commit-floor": commitFloor,
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
  const folder = mkdtempSync(join(tmpdir(), "petstore-bench-"));
  resources.defer(() => rmSync(folder, { recursive: true, force: true }));
  resources.defer(stopServers);
  const pinning = await pinCores();
  if (pinning.absence !== undefined) progress.warn(`Not pinned: ${pinning.absence}.`);
  const [load = 0] = loadavg();
  if (load > IDLE_LOAD_MAX)
    progress.warn(
      `The machine is busy (load ${load.toFixed(1)}): all figures will be worse. Stop other programs first.`,
    );
  const generator = resources.use(startLoadGenerator());
  const report = await RUNS[options.command]({ folder, pinning, progress, generator, resources }, options);
  progress.end();
  process.stdout.write(`${report.text}\n`);
  const file = await writeJson(options, report);
  progress.warn(`Figures of every round: ${file}`);
  if (report.hasFailed) process.exitCode = 1;
}

async function writeJson({ jsonFile, command }: Options, { json }: Report): Promise<string> {
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
  await Bun.write(file, `${JSON.stringify({ time, machine, ...json }, null, 2)}\n`);
  return file;
}
