import type { Sample } from "./runner.ts";
import type { Server } from "./servers.ts";
import { ratios, type Summary, summarize } from "./statistics.ts";

/** No difference is claimed where the range of a ratio overlaps this one. */
const LEVEL = { low: 0.95, high: 1.05 };

/** Markdown, as figures.md has it: medians of the first server, and ratios to the others and the best of the peers. */
export function tableOf(
  servers: readonly Pick<Server, "name" | "kind" | "subject">[],
  samples: readonly Sample[],
): string {
  const first = servers[0]?.name ?? "";
  const columns = Map.groupBy(servers.slice(1), ({ name, kind, subject = first }) =>
    kind === "peers" ? `${first} ÷ best peer` : `${subject} ÷ ${name}`,
  );
  const rows = [...Map.groupBy(samples, ({ title }) => title)].flatMap(([title, group]) =>
    Object.keys(group[0]?.figures ?? {}).map((figure) => {
      const roundsOf = (name: string) => {
        const own = group.filter(({ server }) => server === name);
        return new Map(own.map(({ round, figures }) => [round, figures[figure] ?? Number.NaN]));
      };
      const sign = figure === "requests/s" ? 1 : -1; // of all other figures, less is better
      const cells = [...columns.values()].map((column) => {
        const [worst] = column
          .map((one) => ({ ...one, ...ratios(roundsOf(one.subject ?? first), roundsOf(one.name)) }))
          // A figure that is 0, as the bytes of reads, has no ratio.
          .filter(({ middle, high }) => middle > 0 && high < Number.POSITIVE_INFINITY)
          .toSorted((one, other) => sign * (one.middle - other.middle));
        if (worst === undefined) return "";
        return worst.kind === "peers" ? `${textOf(worst)} ${worst.name}` : textOf(worst);
      });
      return [title, figure, format(summarize([...roundsOf(first).values()]).middle), ...cells];
    }),
  );
  return markdown(["work", "figure", first, ...columns.keys()], rows);
}

/** The median, or `level`, and the range. */
function textOf({ middle, low, high }: Summary): string {
  const isLevel = low <= LEVEL.high && high >= LEVEL.low;
  return `${isLevel ? "level" : middle.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
}

export function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = head.map((_, column) => (column === 0 ? "---" : "--:"));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

export function format(value: number): string {
  return value.toLocaleString("en", { maximumSignificantDigits: 3 });
}
