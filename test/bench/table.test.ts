import { expect, test } from "bun:test";
import type { Server } from "../../bench/servers.ts";
import { tablesOf } from "../../bench/table.ts";

const server = (name: string): Server => ({
  name,
  store: { key: "", animals: 0, counters: async () => ({}), address: "", flag: "", copy: async () => "" },
  launch: async () => ({ command: [] }),
});
const contest = {
  title: "contest",
  servers: ["petstore", "fast", "level"].map(server),
  works: [],
  rounds: 3,
};

/** Cells of a row. */
function rowOf(table: string, name: string): readonly string[] {
  const line = table.split("\n").find((one) => one.includes(` ${name} `)) ?? "";
  return line.split("│").map((cell) => cell.trim());
}

test("a row has the median of its rounds, and the ratio of the first server's figure with its range", () => {
  const figures = { petstore: [200, 220, 210], fast: [100, 100, 100], level: [220, 200, 210] };
  const samples = Object.entries(figures).flatMap(([name, rounds]) =>
    rounds.map((perSecond, round) => ({
      title: "list",
      server: name,
      round,
      figures: { "requests/s": perSecond },
    })),
  );
  const table = tablesOf(contest, samples);
  expect(rowOf(table, "petstore").slice(2, 4)).toEqual(["210", ""]);
  expect(rowOf(table, "fast").slice(2, 4)).toEqual(["100", "2.10 (2.00–2.20)"]);
  expect(rowOf(table, "level").slice(2, 4)).toEqual(["210", "1.00 (0.91–1.10) level"]);
});
