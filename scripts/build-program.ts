// Writes the bundle dist/program/: the program as scripts with bytecode. It starts faster than the sources. Two lists record the
// states and the digests of the bundle's files and inputs. bin/petstore.js runs the bundle while all of these are unchanged. npm
// runs this script after an install.
import { existsSync, statSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { DIGESTS_NAME, digestOf, FOLDER, PROJECT, STATES_NAME, stateOf } from "../bin/bundle.js";
import { errorMessage } from "../src/errors.ts";
import { bundleProgram } from "./build/program.ts";

/** Files that list the installed packages and their versions. npm, pnpm and yarn rewrite them whenever a package changes. */
const PACKAGE_LISTS = [".package-lock.json", ".pnpm/lock.yaml", ".yarn-integrity"];

// The bundler writes paths relative to the current folder into its output, so the folder is fixed.
process.chdir(PROJECT);
let draft: string | undefined;
try {
  await mkdir(dirname(FOLDER), { recursive: true });
  draft = await mkdtemp(`${FOLDER}-`);
  // The old bundle is removed first, so that none is left if this build fails.
  await rm(FOLDER, { recursive: true, force: true });
  await publish(draft, [...installed(), ...(await bundle(draft))]);
} catch (error) {
  // A failed build is not fatal, because bin/petstore.js then runs the sources.
  console.error(`No bundle was made, and the sources run: ${errorMessage(error)}`);
} finally {
  if (draft !== undefined) await rm(draft, { recursive: true, force: true });
}

/** Returns the paths of the bundle's inputs that are not its sources. */
function installed(): readonly string[] {
  const lists = PACKAGE_LISTS.map((name) => `node_modules/${name}`).filter((path) => existsSync(path));
  if (lists.length === 0) throw new Error("node_modules has no list of the installed packages.");
  return ["package.json", "tsconfig.json", ...lists];
}

/** Writes the bundle, and returns the paths of its sources, without those of packages. */
async function bundle(outdir: string): Promise<readonly string[]> {
  const inputs = await bundleProgram(outdir, "checkout");
  return inputs.filter((path) => !/(^|\/)node_modules\//.test(path));
}

/** Writes the lists of states and digests into a folder with a new bundle, and then moves the folder to its place. */
async function publish(folder: string, inputs: readonly string[]): Promise<void> {
  /** The current path of each file, keyed by its path after the move. */
  const files = new Map(inputs.map((path) => [path, path]));
  // The bundle's own files are listed as well, because a power failure can leave them empty.
  for (const name of await readdir(folder))
    files.set(relative(PROJECT, join(FOLDER, name)), relative(PROJECT, join(folder, name)));
  const list = (readValue: (path: string) => string | undefined) =>
    JSON.stringify(Object.fromEntries(files.entries().map(([path, present]) => [path, readValue(present)])));
  await Bun.write(join(folder, STATES_NAME), list(stateOf));
  await Bun.write(join(folder, DIGESTS_NAME), list(digestOf));
  // An input that was changed during the build may be in the bundle as it was before, but listed as it is now.
  const changed = inputs.find((path) => statSync(path).ctimeMs >= performance.timeOrigin);
  if (changed !== undefined) throw new Error(`${changed} has changed meanwhile.`);
  // The folder that mkdtemp makes can be read only by its owner, so its permissions are widened.
  await chmod(folder, 0o755);
  await rename(folder, FOLDER);
}
