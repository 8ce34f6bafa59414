// Runs every test and ends with one line: `N passed, N failed`. A test that did not run counts as failed.
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../test/postgres/server.ts";

const named = process.env["PETSTORE_TEST_DATABASE_URL"];
const postgres = named ? undefined : await startPostgres();
// Everything that the tests leave behind goes with this folder.
const folder = await mkdtemp(join(tmpdir(), "petstore-tests-"));
// PostgreSQL, which does not run as root, has to find its way through it.
await chmod(folder, 0o755);
const report = join(folder, "report.xml");
/** A test that hangs ends after this; one that is merely slow on a busy machine does not. */
const TIMEOUT_MS = 30_000;
const tests = Bun.spawn(
  [
    ...[process.execPath, "test", `--timeout=${TIMEOUT_MS}`],
    ...["--reporter=junit", `--reporter-outfile=${report}`],
    ...process.argv.slice(2),
  ],
  {
    env: { ...process.env, TMPDIR: folder, PETSTORE_TEST_DATABASE_URL: named ?? postgres?.url },
    stdio: ["ignore", "inherit", "inherit"],
  },
);
const exitCode = await tests.exited;
await postgres?.remove();

const totals =
  /<testsuites\b[^>]*>/.exec(
    await Bun.file(report)
      .text()
      .catch(() => ""),
  )?.[0] ?? "";
await rm(folder, { recursive: true, force: true });
const count = (name: string): number => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(totals)?.[1] ?? 0);

const notRun = count("skipped");
if (notRun > 0) console.log(`${notRun} tests did not run.`);
// A failure outside any test (a file that does not load) shows in the exit code alone.
const failed = Math.max(count("failures") + notRun, exitCode === 0 ? 0 : 1);
const passed = count("tests") - count("failures") - notRun;
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
