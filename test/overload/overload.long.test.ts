import { expect, test } from "bun:test";

// The short form of `npm run test:overload`, where the store is what there is too little of. Ten times the load, because
// what is carried for a moment may be far less than what can be; speeds are compared in the long form only.

test("ten times the load that it carries: the excess is shed, the rest is served, and nothing is shed any more after", async () => {
  const main = Bun.fileURLToPath(new URL("main.ts", import.meta.url));
  const arguments_ = [
    "--engine",
    "postgres",
    "--seconds",
    "3",
    "--connections",
    "1200",
    "--times",
    "10",
    "--speed",
    "0",
  ];
  const run = Bun.spawn([process.execPath, main, ...arguments_], { stdout: "pipe", stderr: "inherit" });
  const printed = await new Response(run.stdout).text();
  console.log(printed);
  expect(printed).toContain("as it should be");
  expect(await run.exited).toBe(0);
}, 60_000);
