import { expect, test } from "bun:test";
import { outcomeOf } from "../../wire/process.ts";

const PROJECT = Bun.fileURLToPath(new URL("../../../", import.meta.url));

test("clients made by other generators from the OpenAPI document behave as docs/guides/first-call.md says", async () => {
  const child = Bun.spawn(["npm", "run", "--silent", "lab", "--", "generators"], {
    cwd: PROJECT,
    stdout: "pipe",
    stderr: "pipe",
  });
  const { code, out, err } = await outcomeOf(child);
  expect([code, out + err]).toEqual([0, expect.stringMatching(/\b8 passed, 0 failed\n/)]);
}, 600_000);
