// Finds the program to run. In the npm package, this is the bundle. In a checkout of the project, it is the bundle if the bundle is
// up to date, and otherwise the source code.
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const PROJECT = fileURLToPath(new URL("../", import.meta.url));
export const FOLDER = `${PROJECT}dist/program`;
export const BUNDLE_NAME = "petstore.js";
/**
 * A file with the size and change time (see `stateOf`) of each file that the bundle consists of or was made from, keyed by path.
 */
export const STATES_NAME = "states.json";
/**
 * A file with the SHA-256 digest of each file that the bundle consists of or was made from. If a file's change time differs, the
 * digest is compared.
 */
export const DIGESTS_NAME = "digests.json";
/** The folder with the files of the npm package. scripts/build-package.ts creates it before `npm pack`. */
export const PACKED_FOLDER = `${PROJECT}dist/package`;

/**
 * Returns the path of the program that Bun will run: the bundle if it is valid, and otherwise the source code. The npm package
 * contains no source code.
 */
export function programFile() {
  const sources = `${PROJECT}src/main.ts`;
  return existsSync(sources) ? (freshBundle() ?? sources) : `${PACKED_FOLDER}/${BUNDLE_NAME}`;
}

/**
 * Returns a file's inode, size and change time (ctime), or undefined if the file is missing. The ctime is safer than the mtime,
 * which git, tar and rsync can set to any time.
 */
export function stateOf(path) {
  const stat = statSync(PROJECT + path, { bigint: true, throwIfNoEntry: false });
  return stat && `${stat.ino} ${stat.size} ${stat.ctimeNs}`;
}

/** Returns the SHA-256 digest of a file in the project, or undefined if the file is missing. */
export function digestOf(path) {
  if (!existsSync(PROJECT + path)) return undefined;
  // Loads the module for digests only here, because most starts compare no contents.
  return process.getBuiltinModule("node:crypto").hash("sha256", readFileSync(PROJECT + path), "base64");
}

/** Returns the path of the bundle. Returns undefined if a file that it consists of, or was made from, is missing or has changed. */
export function freshBundle() {
  return staleness() === undefined ? `${FOLDER}/${BUNDLE_NAME}` : undefined;
}

/**
 * Returns the reason why the bundle must not run, or undefined if it may run. If a file's change time differs, as in a copy of the
 * project, its content is compared.
 */
export function staleness() {
  try {
    const states = readList(STATES_NAME);
    const current = {};
    for (const path in states) {
      const state = stateOf(path);
      if (state !== states[path]) current[path] = state;
    }
    const suspects = Object.keys(current);
    if (suspects.length === 0) return undefined;
    const digests = readList(DIGESTS_NAME);
    const changed = suspects.find((path) => digestOf(path) !== digests[path]);
    if (changed !== undefined) return `${changed} was changed or removed after the bundle was made`;
    keepStates({ ...states, ...current });
    return undefined;
  } catch {
    return "there is no bundle";
  }
}

function readList(name) {
  return JSON.parse(readFileSync(`${FOLDER}/${name}`, "utf8"));
}

/** Stores the change times of files whose contents were compared, so that the next start need not compare them again. */
function keepStates(states) {
  // The change time of a file advances in steps of milliseconds. If the file was written just now, it could be changed again and
  // keep the same time.
  const isOfThisMoment = (state) => Number(state.split(" ")[2]) / 1e6 >= performance.timeOrigin;
  if (Object.values(states).some(isOfThisMoment)) return;
  const list = `${FOLDER}/${STATES_NAME}`;
  const draft = `${list}-${process.pid}`;
  try {
    writeFileSync(draft, JSON.stringify(states), { flag: "wx" });
    // The new file gets the permissions of the old one, because this process may have a stricter umask than the one that built the
    // bundle.
    chmodSync(draft, statSync(list).mode);
    renameSync(draft, list);
  } catch {
    // If the folder is read-only, the change times cannot be stored, and every start compares the contents again.
    rmSync(draft, { force: true });
  }
}
