import { expect, test } from "bun:test";

// Short form of `npm run lab -- overload`, on PostgreSQL. Ten times the load, because a brief measurement may be far below
// the real capacity; speeds and latencies are compared in the long form only.

test("at ten times its capacity the service rejects the excess, serves the rest, and rejects nothing afterwards", async () => {
  const main = Bun.fileURLToPath(new URL("main.ts", import.meta.url));
  const arguments_ =
    "--engine postgres --seconds 3 --connections 1200 --times 10 --speed 0 --p99 60000".split(" ");
  const run = Bun.spawn([process.execPath, main, ...arguments_], { stdout: "pipe", stderr: "inherit" });
  const printed = await new Response(run.stdout).text();
  console.log(printed);
  expect(printed).toContain("passed");
  expect(await run.exited).toBe(0);
}, 600_000);
