import { join } from "node:path";
import type { Bench, Report } from "./bench.ts";
import { CREATE, growthWorks, READS } from "./growth-works.ts";
import type { RequestTemplate } from "./load/job.ts";
import type { Options } from "./options.ts";
import { OURS } from "./our-commands.ts";
import { type Cell, figuresOf, seriesOf } from "./result.ts";
import { freePort, type ServerProcess, startServer } from "./server-process.ts";
import { prepareOurStore } from "./stores.ts";
import { markdown } from "./table.ts";

const SIZES = [1_000, 10_000_000];
const QUICK_SIZES = [1_000, 100_000];
const CONNECTIONS = 64;

/** A server with this number of animals, and the requests for it. */
interface SizedServer {
  readonly animals: number;
  readonly server: ServerProcess;
  readonly requestsOf: Readonly<Record<string, readonly RequestTemplate[]>>;
}

/** What reads and creates cost, depending on the number of animals. */
export async function growth(bench: Bench, options: Options): Promise<Report> {
  const servers: SizedServer[] = [];
  for (const animals of options.isQuick ? QUICK_SIZES : SIZES) {
    bench.progress.step(`filling a store with ${animals.toLocaleString("en")} animals`);
    servers.push(await startSized(bench, animals));
  }
  const cells = new Map<string, Cell>();
  // Creates come last: they change the number of animals.
  for (const works of [READS, [CREATE]]) {
    for (let round = 1; round <= options.rounds; round++) {
      for (const work of works) {
        bench.progress.step(`round ${round} of ${options.rounds}: ${work}`);
        for (const sized of servers) await measureSized(bench, options, { ...sized, work }, cells);
      }
    }
  }
  const measured = [...cells.values()];
  return {
    text: tableOf(measured),
    json: { cells: measured.map((cell) => ({ ...cell, ...(cell.rounds.length > 0 && figuresOf(cell)) })) },
    series: seriesOf(measured, () => []),
    hasFailed: measured.some(({ fault }) => fault !== undefined),
  };
}

async function startSized({ folder, pinning, resources }: Bench, animals: number): Promise<SizedServer> {
  const dataDir = join(folder, `growth-${animals}`);
  const key = await prepareOurStore(dataDir, animals, OURS);
  const port = freePort();
  const flags = ["--production-port", String(port), "--data-dir", dataDir];
  const command = OURS.command("serve", "production", ...flags);
  const errorFile = join(folder, `growth-${animals}.errors`);
  const server = await startServer({ command, env: {}, port, key, errorFile }, pinning);
  resources.defer(() => server.stop());
  return { animals, server, requestsOf: await growthWorks(server, animals) };
}

async function measureSized(
  { generator, progress }: Bench,
  { warmUpMs, measureMs }: Options,
  { animals, server, requestsOf, work }: SizedServer & { readonly work: string },
  cells: Map<string, Cell>,
): Promise<void> {
  const { port, pid } = server;
  const name = `${work}, ${animals}`;
  const cell = cells.get(name) ?? { work, connections: CONNECTIONS, server: String(animals), rounds: [] };
  cells.set(name, cell);
  const requests = requestsOf[work] ?? [];
  const outcome = await generator.run({
    port,
    pid,
    connections: CONNECTIONS,
    warmUpMs,
    measureMs,
    requests,
  });
  if ("measured" in outcome) cell.rounds.push(outcome.measured);
  else {
    cell.fault = outcome.fault;
    progress.warn(`FAILED ${name}: ${outcome.fault.slice(0, 500)}`);
  }
}

function tableOf(cells: readonly Cell[]): string {
  const head = ["work", "animals", "requests/s", "CPU µs/request", "p50 ms", "p99 ms"];
  const rows = cells
    .toSorted((a, b) => a.work.localeCompare(b.work))
    .map((cell) => {
      const { work, server, fault } = cell;
      const { perSecond, cpuMicros, p50Millis, p99Millis } = figuresOf(cell);
      const figures = [Math.round(perSecond).toLocaleString("en"), cpuMicros.toFixed(1)];
      const latencies = [p50Millis.toFixed(2), p99Millis.toFixed(2)];
      const measured = fault === undefined ? [...figures, ...latencies] : ["FAILED", "", "", ""];
      return [work, Number(server).toLocaleString("en"), ...measured];
    });
  return `petstore as its store grows, ${CONNECTIONS} clients\n\n${markdown([head, ...rows])}`;
}
