import { expect, test } from "bun:test";
import { OURS_ON, PEERS } from "../../bench/servers.ts";
import { tableOf } from "../../bench/table.ts";

type Servers = Parameters<typeof tableOf>[0];

function rowOf(servers: Servers, figure: string, slices: Readonly<Record<string, readonly number[]>>) {
  const samples = Object.entries(slices).flatMap(([server, values]) =>
    values.map((value, slice) => ({ title: "list", server, slice, figures: { [figure]: value } })),
  );
  return tableOf(servers, samples).split("\n")[2];
}

test("a ratio is the median of the ratios within each slice, with their quartiles", () => {
  const slices = { petstore: [100, 200, 300, 400, 9999], half: [50, 100, 100, 100, 9999], lacks: [100, 200] };
  const servers = Object.keys(slices).map((name) => ({ name }));
  const row = "| list | requests/s | 300 (200–400) | 2.00 (2.00–3.00) | 1.00 |";
  expect(rowOf(servers, "requests/s", slices)).toBe(row);
});

test('"µs above bare" compares CPU time within the same slice only', () => {
  const servers = [{ name: "petstore" }, { name: "bare", kind: "constants" as const }];
  const slices = { petstore: [50, 62, 44], bare: [10, 20, 10] };
  expect(rowOf(servers, "CPU µs", slices)).toBe("| list | CPU µs | 50 (44–62) | 40.0 (34.0–42.0) |");
  expect(rowOf(servers, "MB at rest", slices)).toBe("| list | MB at rest | 50 (44–62) |  |");
  expect(rowOf(servers, "CPU µs", { petstore: [50] })).toBe("| list | CPU µs | 50 |  |");
});

test("a figure that is always 0 has no row and is not used for ratios", () => {
  const servers = [{ name: "petstore" }, { name: "other" }];
  expect(rowOf(servers, "log B", { petstore: [0, 0, 0], other: [1, 0, 0] })).toBe("");
  expect(rowOf(servers, "log B", { petstore: [0, 2, 2], other: [0, 0, 0] })).toBe(
    "| list | log B | 2 (0–2) |  |",
  );
});

test("a build's ratio compares a server with the same server in the other build", () => {
  const servers = [{ name: "one" }, { name: "two" }, { name: "base two", subject: "two" }];
  const row = rowOf(servers, "CPU µs", { one: [1], two: [8], "base two": [4] });
  expect(row).toBe("| list | CPU µs | 1 | 0.13 | 2.00 |");
});

test("the best peer is the one with the most requests, or the lowest value of any other figure", () => {
  const peers = ["a", "b", "absent"].map((name) => ({ name, kind: "peers" as const }));
  const rowTo = (figure: string) =>
    rowOf([{ name: "petstore" }, ...peers], figure, { petstore: [6, 6], a: [2, 2], b: [3, 3] });
  expect(rowTo("requests/s")).toBe("| list | requests/s | 6 | 2.00 b |");
  expect(rowTo("CPU µs")).toBe("| list | CPU µs | 6 | 3.00 a |");
});

test.each(["sqlite", "postgres"] as const)("the page has the benchmark's columns: %s", async (engine) => {
  const page = await Bun.file(new URL("../../bench/figures.md", import.meta.url)).text();
  const peers = PEERS.filter((peer) => peer.engine === engine);
  expect(page).toContain(`### petstore and others, ${engine}\n`);
  expect(page).toContain(tableOf([{ name: OURS_ON[engine] }, ...peers], []));
});
