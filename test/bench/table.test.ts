import { expect, test } from "bun:test";
import { OURS_ON, PEERS } from "../../bench/servers.ts";
import { tableOf } from "../../bench/table.ts";

type Servers = Parameters<typeof tableOf>[0];

function rowOf(servers: Servers, figure: string, rounds: Readonly<Record<string, readonly number[]>>) {
  const samples = Object.entries(rounds).flatMap(([server, values]) =>
    values.map((value, round) => ({ title: "list", server, round, figures: { [figure]: value } })),
  );
  return tableOf(servers, samples).split("\n")[2];
}

test("a ratio is the median of those of the same round with their range, and level if that comes within 5 % of 1", () => {
  const rounds = {
    petstore: [204, 214, 208, 999],
    half: [102, 100, 100],
    near: [200, 200, 200],
    less: [192, 200, 196],
  };
  const servers = Object.keys(rounds).map((name) => ({ name }));
  const row = "| list | requests/s | 211 | 2.08 (2.00–2.14) | level (1.02–1.07) | 1.06 (1.06–1.07) |";
  expect(rowOf(servers, "requests/s", rounds)).toBe(row);
});

test("a figure that is 0 has no ratio", () => {
  const servers = [{ name: "petstore" }, { name: "other" }];
  const row = rowOf(servers, "log B", { petstore: [0, 0.2, 0.1], other: [0.1, 0, 0] });
  expect(row).toBe("| list | log B | 0.1 |  |");
});

test("a build's ratio is to the same server of the other build", () => {
  const servers = [{ name: "one" }, { name: "two" }, { name: "old two", subject: "two" }];
  const row = rowOf(servers, "CPU µs", { one: [1], two: [8], "old two": [4] });
  expect(row).toBe("| list | CPU µs | 1 | 0.13 (0.13–0.13) | 2.00 (2.00–2.00) |");
});

test("the best of the peers has the most requests, or the least of any other figure", () => {
  const peers = ["a", "b", "absent"].map((name) => ({ name, kind: "peers" as const }));
  const cellOf = (figure: string) =>
    rowOf([{ name: "petstore" }, ...peers], figure, { petstore: [6, 6], a: [2, 2], b: [3, 3] })?.split(
      " | ",
    )[3];
  expect(cellOf("requests/s")).toBe("2.00 (2.00–2.00) b |");
  expect(cellOf("CPU µs")).toBe("3.00 (3.00–3.00) a |");
});

test.each(["sqlite", "postgres"] as const)("the page has the benchmark's columns: %s", async (engine) => {
  const page = await Bun.file(new URL("../../bench/figures.md", import.meta.url)).text();
  const peers = PEERS.filter((peer) => peer.engine === engine);
  expect(page).toContain(`### petstore and others, ${engine}\n`);
  expect(page).toContain(tableOf([{ name: OURS_ON[engine] }, ...peers], []));
});
