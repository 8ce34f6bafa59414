import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { outcomeOf } from "../../wire/process.ts";

test("the soak sends every kind of request, is answered as it expects, and writes its samples", async () => {
  const csv = join(mkdtempSync(join(tmpdir(), "petstore-soak-")), "soak.csv");
  const file = Bun.fileURLToPath(new URL("main.ts", import.meta.url));
  const flags = ["--minutes", "0.1", "--rest", "0", "--rate", "150", "--csv", csv];
  const child = Bun.spawn([process.execPath, file, ...flags], { stdout: "pipe", stderr: "pipe" });
  const { code, out, err } = await outcomeOf(child);
  expect([code, err]).toEqual([0, expect.stringMatching(/^process \d+, seed \d+, samples in .+\n$/)]);
  expect(out).toMatch(/^\d+ requests; private memory \d+ MB under load, .* 0 surprises; exit code 0\n$/);
  const [head = "", ...samples] = readFileSync(csv, "utf8").trim().split("\n");
  for (const sample of samples) expect(sample).toMatch(/^\d+(,[\d.]+)+$/);
  expect(samples.at(-1)?.split(",")).toHaveLength(head.split(",").length);
});
