// `npm test` runs `npm run check`, and then all test files except `*.long.test.ts`. The tests use SQLite unless the database
// matters. `npm run test:all` runs everything. Paths select test files, and all tests in them are run. Flags are passed to `bun
// test`. Only failures are printed, with a dot for each test on a terminal. With `--verbose`, everything is printed. The last line
// is `N passed, N failed`. A test that did not run counts as failed, as does a file that did not load. Tests are skipped if this
// machine lacks something that they need.
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { freshBundle } from "../bin/bundle.js";
import { hasPostgres, lacksOf } from "../test/machine.ts";
import { type Databases, prepareDatabases } from "../test/postgres/database.ts";
import { readReport } from "./test-report.ts";

/**
 * The timeout of one test, which ends tests that hang. Even on a busy machine, tests take far less time, so no test sets a
 * different timeout.
 */
const TIMEOUT_MS = { quick: 300_000, all: 1_200_000 } as const;
/**
 * The number of test files that run at the same time: the number of cores (but at most two), plus one, because a test spends a
 * third of its time waiting.
 */
const FILES_AT_ONCE = Math.min(2, availableParallelism()) + 1;
const LONG = /\.long\.test\.ts$/;

const words = process.argv.slice(2);
const flags = words.filter((word) => word.startsWith("-") && !["--all", "--verbose"].includes(word));
const output = words.includes("--verbose") ? [] : [process.stdout.isTTY ? "--dots" : "--only-failures"];
const paths = words.filter((word) => !word.startsWith("-"));
const isWhole = paths.length === 0;
const run = words.includes("--all") || !isWhole ? "all" : "quick";
const isCi = process.env["CI"] === "true";

const chosen = ["src", "client/src", "exact-json", "test"]
  .flatMap((folder) => [...new Bun.Glob(`${folder}/**/*.test.ts`).scanSync()])
  .filter((file) => !file.includes("node_modules/"))
  .filter((file) => run === "all" || !LONG.test(file))
  .filter((file) => isWhole || paths.some((path) => file.includes(path)))
  .sort();
if (chosen.length === 0) throw new Error(`No test file matches ${paths.join(" ")}.`);
const lacks = lacksOf(chosen);
const files = chosen.filter((file) => !lacks.has(file));

const cpu: { name: string; seconds: number }[] = [];
function count(name: string, usage: Bun.ResourceUsage | undefined): void {
  cpu.push({ name, seconds: Number(usage?.cpuTime.total ?? 0) / 1e6 });
}

async function spawn(name: string, command: readonly string[], env = {}): Promise<number> {
  const child = Bun.spawn([process.execPath, ...command], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const code = await child.exited;
  count(name, child.resourceUsage());
  return code;
}

let databases: Promise<Databases> | undefined;
/** Starts PostgreSQL for the first test that needs it. */
const postgres = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: 0,
  fetch() {
    databases ??= prepareDatabases();
    return databases.then(
      ({ template }) => new Response(template),
      (error: unknown) => new Response(String(error), { status: 500 }),
    );
  },
});

async function runTests(): Promise<{ passed: number; failed: number; notRun: number }> {
  if (freshBundle() === undefined) await spawn("bundle", ["scripts/build-program.ts"]);
  // All temporary files of the tests are in one folder, which is removed at the end.
  const folder = await mkdtemp(join(tmpdir(), "petstore-tests-"));
  // PostgreSQL runs as an unprivileged user, who must be able to read this folder.
  await chmod(folder, 0o755);
  const report = join(folder, "report.xml");
  const exitCode = await spawn(
    "tests",
    [
      ...["test", `--timeout=${TIMEOUT_MS[run]}`, `--parallel=${FILES_AT_ONCE}`, "--no-isolate"],
      ...["--reporter=junit", `--reporter-outfile=${report}`, ...output, ...flags],
      ...files.map((file) => `./${file}`),
    ],
    {
      TMPDIR: folder,
      PETSTORE_TEST_POSTGRES: postgres.url.href,
      ...(run === "quick" && { PETSTORE_TEST_QUICK: "1" }),
    },
  );
  const server = await databases?.catch(() => undefined);
  if (server !== undefined) count("PostgreSQL", await server.remove());
  const results = readReport(await readText(report), files);
  await rm(folder, { recursive: true, force: true });
  for (const file of results.missing) console.log(`${file} did not run.`);
  const failed = results.failed + results.missing.length;
  return { ...results, failed: failed || (exitCode === 0 ? 0 : 1) };
}

function readText(path: string): Promise<string> {
  return Bun.file(path)
    .text()
    .catch(() => "");
}

const checked = isWhole ? await spawn("check", ["scripts/check.ts"]) : 0;
const { passed, failed, notRun } = await runTests();
postgres.stop(true);
if (isWhole) {
  const total = cpu.reduce((sum, { seconds }) => sum + seconds, 0);
  const detail = cpu.map(({ name, seconds }) => `${name} ${seconds.toFixed(0)}`).join(", ");
  console.log(`CPU seconds: ${total.toFixed(0)} (${detail})`);
}
for (const lack of new Set(lacks.values())) console.log(`not run here: ${lack}`);
const left = notRun + lacks.size;
// Tests for PostgreSQL may be skipped if it is missing. If any other test was skipped, a person has switched it off.
const isRefused = left > 0 && (isCi || (notRun > 0 && hasPostgres));
const faults = failed + (checked === 0 ? 0 : 1) + (isRefused ? left : 0);
console.log(`${passed} passed, ${faults} failed${left > 0 && !isRefused ? `, ${left} skipped` : ""}`);
process.exitCode = faults === 0 && passed > 0 ? 0 : 1;
