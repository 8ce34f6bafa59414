// Bundles petstore in dist/program/, as scripts with bytecode, which start faster than the source code. Two lists describe all
// files that the bundle consists of or was made from. bin/petstore.js runs the bundle as long as these files are unchanged. npm
// runs this script after an install.
import { existsSync, statSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { DIGESTS_NAME, digestOf, FOLDER, PROJECT, STATES_NAME, stateOf } from "../bin/bundle.js";
import { errorMessage } from "../src/errors.ts";
import { bundleProgram } from "./build/program.ts";

/**
 * Files in which npm, pnpm or yarn lists the installed packages and their versions. They are written again whenever a package
 * changes.
 */
const PACKAGE_LISTS = [".package-lock.json", ".pnpm/lock.yaml", ".yarn-integrity"];

// Fixes the current folder, because the bundler writes paths relative to it.
process.chdir(PROJECT);
let draft: string | undefined;
try {
  await mkdir(dirname(FOLDER), { recursive: true });
  draft = await mkdtemp(`${FOLDER}-`);
  // Removes the old bundle first. If this build fails, petstore then runs from its source code instead of an old bundle.
  await rm(FOLDER, { recursive: true, force: true });
  await publish(draft, [...installed(), ...(await bundle(draft))]);
} catch (error) {
  // A failed build is not serious, because bin/petstore.js then runs the source code.
  console.error(`No bundle was made, and the sources run: ${errorMessage(error)}`);
} finally {
  if (draft !== undefined) await rm(draft, { recursive: true, force: true });
}

/** Returns the paths of all files that the bundle depends on, except the source code. */
function installed(): readonly string[] {
  const lists = PACKAGE_LISTS.map((name) => `node_modules/${name}`).filter((path) => existsSync(path));
  if (lists.length === 0) throw new Error("node_modules has no list of the installed packages.");
  return ["package.json", "tsconfig.json", ...lists];
}

/** Writes the bundle. Returns the paths of the source files of petstore that it contains. */
async function bundle(outdir: string): Promise<readonly string[]> {
  const inputs = await bundleProgram(outdir, "checkout");
  return inputs.filter((path) => !/(^|\/)node_modules\//.test(path));
}

/** Adds the lists of files to the folder with a new bundle, and then moves the folder to its final place. */
async function publish(folder: string, inputs: readonly string[]): Promise<void> {
  /** The current path of each file, keyed by the path that the file has after the move. */
  const files = new Map(inputs.map((path) => [path, path]));
  // The bundle's own files are in the lists as well, because a power cut can leave them empty.
  for (const name of await readdir(folder))
    files.set(relative(PROJECT, join(FOLDER, name)), relative(PROJECT, join(folder, name)));
  const list = (readValue: (path: string) => string | undefined) =>
    JSON.stringify(Object.fromEntries(files.entries().map(([path, present]) => [path, readValue(present)])));
  await Bun.write(join(folder, STATES_NAME), list(stateOf));
  await Bun.write(join(folder, DIGESTS_NAME), list(digestOf));
  // If a source file was changed during the build, the bundle may contain its old version, but the lists would describe the new
  // one.
  const changed = inputs.find((path) => statSync(path).ctimeMs >= performance.timeOrigin);
  if (changed !== undefined) throw new Error(`${changed} has changed meanwhile.`);
  // mkdtemp creates a folder that only its owner can read, so the permissions are extended.
  await chmod(folder, 0o755);
  await rename(folder, FOLDER);
}
