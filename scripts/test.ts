// `npm test` runs every test file but the long ones, `npm run test:long` the long ones: `*.long.test.ts`. Paths choose among
// all of them; flags go to `bun test`. Both end with one line, `N passed, N failed`. A test that did not run, and a file that
// did not load, count as failed.
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../test/postgres/server.ts";
import { readReport } from "./test-report.ts";

/** A test that hangs ends after this; one that is slow on a busy machine does not. */
const TIMEOUT_MS = 120_000;
const LONG_TIMEOUT_MS = 600_000;
/** Milliseconds of each file, so that the longest begin first; `npm test -- --update-timings` writes it anew. */
const TIMINGS = "test/timings.json";
const WORKERS = 2;
const LONG = /\.long\.test\.ts$/;
/** Tests of programs that npm does not install: PgBouncer; Firefox and WebKit. Those of a folder run when its variable is 1. */
const SWITCHES = { "test/ha/": "PETSTORE_TEST_HA", "test/browsers/": "PETSTORE_TEST_BROWSERS" } as const;

const flags = process.argv.slice(2).filter((word) => word.startsWith("-") && word !== "--long");
const paths = process.argv.slice(2).filter((word) => !word.startsWith("-"));
const isLong = process.argv.includes("--long");
const files = ["src", "client/src", "test"]
  .flatMap((folder) => [...new Bun.Glob(`${folder}/**/*.test.ts`).scanSync()])
  .filter((file) => !file.includes("node_modules/"))
  .filter((file) =>
    Object.entries(SWITCHES).every(([folder, name]) => !file.startsWith(folder) || process.env[name] === "1"),
  )
  .filter((file) => (paths.length > 0 && !isLong) || LONG.test(file) === isLong)
  .filter((file) => paths.length === 0 || paths.some((path) => file.includes(path)))
  .sort();
if (files.length === 0) throw new Error(`No test file matches ${paths.join(" ")}.`);

const named = process.env["PETSTORE_TEST_DATABASE_URL"];
const postgres = named ? undefined : await startPostgres();
// Everything that the tests leave behind goes with this folder.
const folder = await mkdtemp(join(tmpdir(), "petstore-tests-"));
// Readable by PostgreSQL, which does not run as root.
await chmod(folder, 0o755);
const report = join(folder, "report.xml");
const tests = Bun.spawn(
  [
    ...[
      process.execPath,
      "test",
      `--timeout=${isLong ? LONG_TIMEOUT_MS : TIMEOUT_MS}`,
      `--timings=${TIMINGS}`,
    ],
    // A long test loads the machine by itself: one file at a time.
    `--parallel=${isLong ? 1 : WORKERS}`,
    ...["--reporter=junit", `--reporter-outfile=${report}`],
    ...flags,
    ...files.map((file) => `./${file}`),
  ],
  {
    env: { ...process.env, TMPDIR: folder, PETSTORE_TEST_DATABASE_URL: named ?? postgres?.url },
    stdio: ["ignore", "inherit", "inherit"],
  },
);
const exitCode = await tests.exited;
await postgres?.remove();

const { passed, failed, notRun, missing } = readReport(
  await Bun.file(report)
    .text()
    .catch(() => ""),
  files,
);
await rm(folder, { recursive: true, force: true });
for (const file of missing) console.log(`${file} did not run.`);
if (notRun > 0) console.log(`${notRun} tests did not run.`);
const faults = failed + notRun + missing.length || (exitCode === 0 ? 0 : 1);
console.log(`${passed} passed, ${faults} failed`);
process.exitCode = faults === 0 && passed > 0 ? 0 : 1;
