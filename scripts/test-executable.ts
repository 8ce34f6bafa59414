// Builds petstore as an executable for this machine, and tests it from outside: requests with SQLite and PostgreSQL, several
// processes with PostgreSQL, and the web pages in a browser.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildExecutable } from "./build/executable.ts";
import { hostTarget } from "./build/targets.ts";

const SUITES = ["test/wire", "test/postgres", "test/browser"];

const target = hostTarget();
if (target === undefined) throw new Error("No executable is built for this kind of machine.");
const folder = await mkdtemp(join(tmpdir(), "petstore-executable-"));
const program = join(folder, "petstore");
await buildExecutable(target, program);
const chosen = process.argv.slice(2);
const tests = Bun.spawn([process.execPath, "scripts/test.ts", ...(chosen.length > 0 ? chosen : SUITES)], {
  env: { ...process.env, PETSTORE_TEST_PROGRAM: program },
  stdio: ["ignore", "inherit", "inherit"],
});
process.exitCode = await tests.exited;
await rm(folder, { recursive: true });
