import type { Contest, Sample } from "./runner.ts";
import { ratios, summarize } from "./statistics.ts";

/** Tables of all measurements of a contest. */
export function tablesOf({ title: heading, servers }: Contest, samples: readonly Sample[]): string {
  const tables = [...Map.groupBy(samples, ({ title }) => title)].map(([title, group]) => {
    const rounds = servers.map(({ name }) => group.filter(({ server }) => server === name));
    const rows = rounds.flatMap((own) =>
      own[0] === undefined ? [] : [[own[0].server, rowOf(own, rounds[0] ?? [])]],
    );
    return `${title}\n${Bun.inspect.table(Object.fromEntries(rows))}`;
  });
  return [heading, ...tables].join("\n\n");
}

/** The medians of a server's figures, and the ratios of the subject's figures over them. */
function rowOf(rounds: readonly Sample[], subject: readonly Sample[]): Readonly<Record<string, string>> {
  const columns = Object.keys(rounds[0]?.figures ?? {}).flatMap((figure) => {
    const own = valuesOf(rounds, figure);
    const { middle } = summarize([...own.values()]);
    const digits = middle < 10 ? 2 : middle < 100 ? 1 : 0;
    const value = middle.toLocaleString("en", {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
    return [
      [figure, value],
      [`${figure}: ratio`, rounds === subject ? "" : ratioOf(valuesOf(subject, figure), own)],
    ];
  });
  return Object.fromEntries(columns);
}

function valuesOf(rounds: readonly Sample[], figure: string): ReadonlyMap<number, number> {
  return new Map(rounds.map(({ round, figures }) => [round, figures[figure] ?? Number.NaN]));
}

/** The median of the rounds' ratios, and their range; `level` if it includes 1. */
function ratioOf(...sides: Parameters<typeof ratios>): string {
  const { middle, low, high } = ratios(...sides);
  const range = `${middle.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
  return low <= 1 && high >= 1 ? `${range} level` : range;
}
