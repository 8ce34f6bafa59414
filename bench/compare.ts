import { prepareBackends } from "./backends.ts";
import type { Bench, Report } from "./bench.ts";
import { peersOf } from "./contestants.ts";
import type { Options } from "./options.ts";
import { figuresOf, seriesOf } from "./result.ts";
import { runRounds } from "./rounds.ts";
import { tablesOf } from "./table.ts";

/** More pages than any server caches. */
export const PAGES = 4_000;

export async function compare(bench: Bench, options: Options): Promise<Report> {
  const { contestants, works } = options;
  const backends = await prepareBackends(bench, contestants);
  const results = await runRounds({ ...bench, ...options, backends, pages: PAGES }, contestants);
  const figures = results.cells.map((cell) => ({ ...cell, ...(cell.rounds.length > 0 && figuresOf(cell)) }));
  return {
    text: tablesOf(results, works),
    json: { servers: results.servers, cells: figures },
    series: seriesOf(results.cells, peersOf),
    hasFailed: results.cells.some(({ fault }) => fault !== undefined),
  };
}
