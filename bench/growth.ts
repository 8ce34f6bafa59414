import { join } from "node:path";
import type { Bench, Report } from "./bench.ts";
import type { RequestTemplate } from "./load/job.ts";
import type { Options } from "./options.ts";
import { petstoreCommand } from "./our-commands.ts";
import { followPages } from "./pages.ts";
import { type Cell, figuresOf } from "./result.ts";
import { freePort, type ServerProcess, startServer } from "./server-process.ts";
import { prepareOurStore } from "./stores.ts";
import { markdown } from "./table.ts";
import { get, random, times } from "./work.ts";

const SIZES = [1_000, 100_000, 10_000_000];
const QUICK_SIZES = [1_000, 100_000];
const CONNECTIONS = [1, 64];
const DEEP_PAGE = 10_000;
const PAGE_LENGTH = 20;
/** The deep page is reached in steps of 100: a cursor does not depend on the page length. */
const STRIDE = 100;

/** A server with this number of animals, and the requests for it. */
interface SizedServer {
  readonly animals: number;
  readonly server: ServerProcess;
  readonly works: Readonly<Record<string, readonly RequestTemplate[]>>;
}

/** How the latency of pages and single animals depends on the number of animals. */
export async function growth(bench: Bench, options: Options): Promise<Report> {
  const { progress, resources } = bench;
  const servers: SizedServer[] = [];
  for (const animals of options.isQuick ? QUICK_SIZES : SIZES) {
    progress.step(`filling a store with ${animals.toLocaleString("en")} animals`);
    const sized = await startSized(bench, animals);
    resources.defer(() => sized.server.stop());
    servers.push(sized);
  }
  const cells = new Map<string, Cell>();
  for (let round = 1; round <= options.rounds; round++) {
    for (const sized of servers) {
      progress.step(`round ${round} of ${options.rounds}: ${sized.animals.toLocaleString("en")} animals`);
      await measureSized(bench, options, sized, cells);
    }
  }
  const measured = [...cells.values()];
  return {
    text: tableOf(measured),
    json: { cells: measured.map((cell) => ({ ...cell, ...(cell.rounds.length > 0 && figuresOf(cell)) })) },
    hasFailed: measured.some(({ fault }) => fault !== undefined),
  };
}

async function startSized({ folder, pinning }: Bench, animals: number): Promise<SizedServer> {
  const dataDir = join(folder, `growth-${animals}`);
  const key = await prepareOurStore(dataDir, animals);
  const port = freePort();
  const command = petstoreCommand(
    "serve",
    "production",
    "--production-port",
    String(port),
    "--data-dir",
    dataDir,
  );
  const errorFile = join(folder, `growth-${animals}.errors`);
  const server = await startServer({ command, env: {}, port, key, errorFile }, pinning);
  const strides = await followPages(server, (DEEP_PAGE * PAGE_LENGTH) / STRIDE, `/v1/pets?limit=${STRIDE}`);
  const deepest = strides.at(-1)?.replace(`limit=${STRIDE}`, `limit=${PAGE_LENGTH}`) ?? "";
  const works = {
    "page 1": [get(server, `/v1/pets?limit=${PAGE_LENGTH}`)],
    "deep page": [get(server, deepest)],
    "one animal": times(2_000, () => get(server, `/v1/pets/${1 + Math.floor(random() * animals)}`)),
  };
  return { animals, server, works };
}

async function measureSized(
  { generator, progress }: Bench,
  { warmUpMs, measureMs }: Options,
  { animals, server, works }: SizedServer,
  cells: Map<string, Cell>,
): Promise<void> {
  const { port, pid } = server;
  for (const connections of CONNECTIONS) {
    for (const [work, requests] of Object.entries(works)) {
      const name = `${work}, ${connections}, ${animals}`;
      const cell = cells.get(name) ?? { work, connections, server: String(animals), rounds: [] };
      cells.set(name, cell);
      const outcome = await generator.run({ port, pid, connections, warmUpMs, measureMs, requests });
      if ("measured" in outcome) cell.rounds.push(outcome.measured);
      else {
        cell.fault = outcome.fault;
        progress.warn(`FAILED ${name}: ${outcome.fault.slice(0, 500)}`);
      }
    }
  }
}

function tableOf(cells: readonly Cell[]): string {
  const head = ["work", "clients", "animals", "requests/s", "CPU µs/request", "p50 ms", "p99 ms"];
  const order = (a: Cell, b: Cell) => a.connections - b.connections || a.work.localeCompare(b.work);
  const rows = cells.toSorted(order).map((cell) => {
    const { work, connections, server, fault } = cell;
    const { perSecond, cpuMicros, p50Millis, p99Millis } = figuresOf(cell);
    const figures = [Math.round(perSecond).toLocaleString("en"), cpuMicros.toFixed(1)];
    const latencies = [p50Millis.toFixed(2), p99Millis.toFixed(2)];
    const measured = fault === undefined ? [...figures, ...latencies] : ["FAILED", "", "", ""];
    return [work, String(connections), Number(server).toLocaleString("en"), ...measured];
  });
  return `petstore, as its store grows (a deep page is page ${DEEP_PAGE.toLocaleString("en")} of 20, or the last)\n\n${markdown([head, ...rows])}`;
}
