// Applies deliberate faults to a copy of the program, one at a time, and reports which test detects each fault. If no test detects
// a fault, a guarantee is untested. An argument such as `-- "rate limit"` selects the faults whose descriptions contain it.
import { chmod, cp, mkdir, mkdtemp, readdir, readlink, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { startPostgres } from "../../postgres/server.ts";
import { FAULTS, type Fault } from "./faults.ts";

const PROJECT = Bun.fileURLToPath(new URL("../../../", import.meta.url));
const LEFT_OUT =
  /^(node_modules|\.git|data|dist|bench\/(node_modules|peers|results)|test\/extra\/\w+\/(node_modules|generated))(\/|$)/;
const TEST_DEADLINE_MS = 30_000;
/**
 * The deadline of a test run. Some faults make a test hang. When the run then misses its deadline, the fault counts as detected.
 */
const FAULT_DEADLINE_MS = 240_000;
const SOUND_DEADLINE_MS = 900_000;

interface Run {
  readonly hasPassed: boolean;
  /**
   * The name of the first test that failed, or the test files if the run did not end. It is undefined if no test has detected the
   * fault.
   */
  readonly seenBy: string | undefined;
  readonly output: string;
  readonly seconds: number;
}

const chosen = FAULTS.filter(({ fault }) => fault.includes(process.argv[2] ?? ""));
const named = process.env["PETSTORE_TEST_DATABASE_URL"];
const postgres = named ? undefined : await startPostgres();
const folder = await mkdtemp(join(tmpdir(), "petstore-mutations-"));
await chmod(folder, 0o755);
const copy = join(folder, "petstore");
try {
  await copyProject();
  process.exitCode = (await tryAll()) ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
  await postgres?.remove();
}

async function copyProject(): Promise<void> {
  await cp(PROJECT, copy, { recursive: true, filter: (from) => !LEFT_OUT.test(relative(PROJECT, from)) });
  const packages = join(PROJECT, "node_modules");
  await mkdir(join(copy, "node_modules"));
  for (const entry of await readdir(packages, { withFileTypes: true })) {
    const path = join(packages, entry.name);
    // The link of an npm workspace is relative, so that it leads to the workspace in the copied project.
    const leadsTo = entry.isSymbolicLink() ? await readlink(path) : path;
    await symlink(leadsTo, join(copy, "node_modules", entry.name));
  }
}

async function tryAll(): Promise<boolean> {
  for (const fault of FAULTS) await requireApplicable(fault);
  const sound = await runTests([...new Set(chosen.flatMap(({ tests }) => tests))], SOUND_DEADLINE_MS);
  if (!sound.hasPassed) {
    console.log(`Without any fault it is red already: ${sound.seenBy}\n${sound.output}`);
    return false;
  }
  console.log(`Without any fault every test passes, in ${sound.seconds} s.\n`);
  console.log("| fault | seen by | seconds |\n|---|---|---|");
  let caught = 0;
  for (const fault of chosen) {
    const { hasPassed, seenBy, output, seconds } = await commit(fault);
    if (!hasPassed && seenBy === undefined) throw new Error(`${fault.fault}: no test ran.\n${output}`);
    if (!hasPassed) caught++;
    console.log(`| ${fault.fault} | ${hasPassed ? "NOTHING" : seenBy} | ${seconds} |`);
  }
  console.log(`\n${caught} of ${chosen.length} caught`);
  return caught === chosen.length;
}

/** @throws Error if the source has changed so that the deliberate fault can no longer be applied */
async function requireApplicable({ file, before }: Fault): Promise<void> {
  const text = await Bun.file(join(copy, file)).text();
  if (text.split(before).length !== 2) throw new Error(`${file} must contain once, for its fault: ${before}`);
}

/** Applies a deliberate fault to the source, runs the tests, and reverts the fault. */
async function commit({ file, before, after, tests }: Fault): Promise<Run> {
  const path = join(copy, file);
  const text = await Bun.file(path).text();
  await Bun.write(
    path,
    text.replace(before, () => after),
  );
  try {
    return await runTests(tests, FAULT_DEADLINE_MS);
  } finally {
    await Bun.write(path, text);
  }
}

async function runTests(tests: readonly string[], deadlineMs: number): Promise<Run> {
  const startedAt = performance.now();
  // The timeout is long. Otherwise, a test that is merely slow on a busy machine would seem to have detected the deliberate fault.
  const command = [process.execPath, "test", "--bail", `--timeout=${TEST_DEADLINE_MS}`];
  const child = Bun.spawn([...command, ...tests.map((test) => `./${test}`)], {
    cwd: copy,
    env: { ...process.env, TMPDIR: folder, PETSTORE_TEST_DATABASE_URL: named ?? postgres?.url },
    stdout: "ignore",
    stderr: "pipe",
    timeout: deadlineMs,
    killSignal: "SIGKILL",
    // A failed test run leaves its servers running. In a separate process group, they can be ended together.
    detached: true,
  });
  // The output is read from the start, but awaited only after the process group has ended, because a server that is left running
  // keeps the pipe open.
  const reading = new Response(child.stderr).text();
  const exitCode = await child.exited;
  endGroup(child.pid);
  const output = await reading;
  const failed = /^\(fail\) (.*?)(?: \[[\d.]+ms\])?$/m.exec(output)?.[1];
  const isHung = child.signalCode === "SIGKILL";
  return {
    hasPassed: exitCode === 0,
    seenBy: failed ?? (isHung ? `${tests.join(", ")}, which did not end` : undefined),
    output,
    seconds: Math.round((performance.now() - startedAt) / 1000),
  };
}

function endGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // All processes of the group have already ended.
  }
}
