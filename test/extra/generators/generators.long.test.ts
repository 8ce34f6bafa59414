import { expect, test } from "bun:test";
import { outcomeOf } from "../../wire/process.ts";

const PROJECT = Bun.fileURLToPath(new URL("../../../", import.meta.url));

test("Spectral finds nothing in the OpenAPI documents, and clients made by other generators behave as docs/guides/first-call.md says", async () => {
  const child = Bun.spawn(["npm", "run", "--silent", "lab", "--", "generators"], {
    cwd: PROJECT,
    stdout: "pipe",
    stderr: "pipe",
  });
  const { code, out, err } = await outcomeOf(child);
  expect([code, out + err]).toEqual([0, expect.stringMatching(/\b12 passed, 0 failed\n/)]);
});
