// Prepares a release of the project in the current folder: npm run lab -- release 1.1.0. With --dry-run, it only prints what it
// would do. It never pushes or publishes anything.
import { rm } from "node:fs/promises";
import { relative } from "node:path";
import { parseArgs } from "node:util";
import { unreleasedChanges } from "./release/changelog.ts";
import { releaseRefusals } from "./release/refusals.ts";
import { VERSIONED_FILES, writeVersion } from "./release/write-version.ts";

/**
 * Commands that must succeed after the new version has been written and before it is committed. The tests also open a store that is
 * kept for this release.
 */
const checksOf = (store: string): readonly (readonly string[])[] => [
  [process.execPath, relative(project, KEEP_STORE), store],
  ["npm", "test"],
  ["npm", "run", "test:all"],
  ["npm", "run", "lab", "--", "executable"],
  ["npm", "run", "build", "--", "--all", "--archive"],
];
const KEEP_STORE = Bun.fileURLToPath(new URL("release/keep-store.ts", import.meta.url));

const { values, positionals } = parseArgs({
  options: { "dry-run": { type: "boolean", default: false } },
  allowPositionals: true,
});
const [version = ""] = positionals;
const project = process.cwd();

const refusals = await releaseRefusals(project, version);
for (const refusal of refusals) console.error(`release: ${refusal}`);
if (refusals.length > 0) process.exit(1);

const store = `test/storage/released/${version}`;
const commits = [
  ["git", "add", "--", store],
  ["git", "commit", "--quiet", "--message", `Release ${version}`, "--", ...VERSIONED_FILES, store],
  ["git", "tag", "--annotate", `v${version}`, "--message", `petstore ${version}`],
];
if (values["dry-run"]) await printPlan();
else await release();

async function printPlan(): Promise<void> {
  const changes = unreleasedChanges(await Bun.file("CHANGELOG.md").text());
  console.log(`Would write ${version} into ${VERSIONED_FILES.join(", ")}, then run:\n`);
  for (const command of [...checksOf(store), ...commits]) console.log(`  ${command.map(quoted).join(" ")}`);
  console.log(`\nWhat it releases:\n\n${changes}`);
}

async function release(): Promise<void> {
  try {
    await writeVersion(project, version, new Date().toISOString().slice(0, 10));
    for (const command of checksOf(store)) await run(command);
  } catch (error) {
    await run(["git", "checkout", "--quiet", "--", ...VERSIONED_FILES]);
    await rm(store, { recursive: true, force: true });
    console.error(`release: ${error instanceof Error ? error.message : error} Everything is as it was.`);
    process.exit(1);
  }
  for (const command of commits) await run(command);
  console.log(`
Released ${version}, on this machine. One step is left: .github/workflows/release.yml publishes what is pushed.

  git push origin main v${version}
`);
}

async function run(command: readonly string[]): Promise<void> {
  const child = Bun.spawn([...command], { stdio: ["ignore", "inherit", "inherit"] });
  if ((await child.exited) !== 0) throw new Error(`${command.map(quoted).join(" ")} has failed.`);
}

function quoted(word: string): string {
  return /\s/.test(word) ? `"${word}"` : word;
}
