import type { Figures } from "./load/run-job.ts";
import type { Server } from "./servers.ts";
import { type Slices, type Summary, summarize, summarizePairs } from "./statistics.ts";

/** The results of measuring one server once. */
export interface Sample {
  readonly title: string;
  readonly server: string;
  readonly slice: number;
  readonly figures: Figures;
}

type Column = readonly [head: string, cell: (figure: string, slicesOf: (server: string) => Slices) => string];
type Named = Pick<Server, "name" | "kind" | "subject">;

/**
 * Writes a Markdown table as in figures.md. It contains the figures of the first server, how many microseconds slower than bare-bun
 * that server is, and its ratios to the best other server and to all servers.
 */
export function tableOf(servers: readonly Named[], samples: readonly Sample[]): string {
  const columns = columnsOf(servers);
  const rows = [...Map.groupBy(samples, ({ title }) => title)].flatMap(([title, group]) =>
    Object.keys(group[0]?.figures ?? {}).flatMap((figure) => {
      const slicesOf = (name: string) => {
        const own = group.filter(({ server }) => server === name);
        return new Map(own.map(({ slice, figures }) => [slice, figures[figure] ?? Number.NaN]));
      };
      // Leaves out figures that are always 0. For example, reads write no log.
      if ([...slicesOf(servers[0]?.name ?? "").values()].every((value) => value === 0)) return [];
      return [[title, figure, ...columns.map(([, cell]) => cell(figure, slicesOf))]];
    }),
  );
  return markdown(["work", "figure", ...columns.map(([head]) => head)], rows);
}

function columnsOf(servers: readonly Named[]): readonly Column[] {
  const first = servers[0]?.name ?? "";
  const peers = servers.filter(({ kind }) => kind === "peers");
  const bare = servers.find(({ kind }) => kind === "constants");
  const others = servers.slice(1).filter(({ kind }) => kind === undefined);
  const columns: Column[] = [
    [first, (_figure, slicesOf) => textOf(summarize([...slicesOf(first).values()]), format)],
  ];
  if (bare !== undefined)
    columns.push([`µs above ${bare.name}`, (figure, slicesOf) => aboveOf(figure, slicesOf, first, bare)]);
  if (peers.length > 0)
    columns.push([`${first} ÷ best peer`, (figure, slicesOf) => worstOf(figure, slicesOf, first, peers)]);
  for (const { name, subject = first } of others)
    columns.push([`${subject} ÷ ${name}`, (_figure, slicesOf) => ratioOf(slicesOf(subject), slicesOf(name))]);
  return columns;
}

function aboveOf(
  figure: string,
  slicesOf: (server: string) => Slices,
  first: string,
  { name }: Named,
): string {
  if (figure !== "CPU µs") return "";
  const above = summarizePairs(slicesOf(first), slicesOf(name), (own, bare) => own - bare);
  return Number.isNaN(above.middle) ? "" : textOf(above, (value) => value.toFixed(1));
}

/** Compares the first server with every other one, and returns the worst ratio with the name of that server. */
function worstOf(
  figure: string,
  slicesOf: (server: string) => Slices,
  first: string,
  peers: readonly Named[],
): string {
  const sign = figure === "requests/s" ? 1 : -1; // requests per second should be high; all other figures should be low
  const [worst] = peers
    .map(({ name }) => ({ name, ...ratios(slicesOf(first), slicesOf(name)) }))
    .filter(isRatio)
    .toSorted((one, other) => sign * (one.middle - other.middle));
  return worst === undefined ? "" : `${textOf(worst, twoPlaces)} ${worst.name}`;
}

function ratioOf(own: Slices, others: Slices): string {
  const ratio = ratios(own, others);
  return isRatio(ratio) ? textOf(ratio, twoPlaces) : "";
}

function ratios(own: Slices, others: Slices): Summary {
  return summarizePairs(own, others, (value, other) => value / other);
}

/**
 * Returns false if no ratio can be calculated, because the other server's figure is 0 or that server does not support the workload.
 */
function isRatio({ middle, high }: Summary): boolean {
  return middle > 0 && high < Number.POSITIVE_INFINITY;
}

/** Writes the median of a figure and, if the quartiles differ from each other, the quartiles. */
function textOf({ middle, low, high }: Summary, format: (value: number) => string): string {
  return low === high ? format(middle) : `${format(middle)} (${format(low)}–${format(high)})`;
}

function twoPlaces(value: number): string {
  return value.toFixed(2);
}

export function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = head.map((_, column) => (column === 0 ? "---" : "--:"));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

export function format(value: number): string {
  return value.toLocaleString("en", { maximumSignificantDigits: 3 });
}
