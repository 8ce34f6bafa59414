// Decides what to run: the npm package's bundle, a checkout's bundle if it is up to date, or else the sources.
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const PROJECT = fileURLToPath(new URL("../", import.meta.url));
export const FOLDER = `${PROJECT}dist/program`;
export const BUNDLE_NAME = "petstore.js";
/** File with the states (see `stateOf`) of the bundle's files and inputs, keyed by path. */
export const STATES_NAME = "states.json";
/** File with the SHA-256 digests of the bundle's files and inputs. Where a file's state differs, its digest is compared. */
export const DIGESTS_NAME = "digests.json";
/** Folder with the files of the npm package, made by scripts/build-package.ts before `npm pack`. */
export const PACKED_FOLDER = `${PROJECT}dist/package`;

/**
 * Returns the path of the program that Bun runs: the bundle if there is a valid one, or else the sources, which the npm package
 * does not contain.
 */
export function programFile() {
  const sources = `${PROJECT}src/main.ts`;
  return existsSync(sources) ? (freshBundle() ?? sources) : `${PACKED_FOLDER}/${BUNDLE_NAME}`;
}

/**
 * Returns the inode, the size and the change time (ctime) of a file in the project; undefined if the file is missing. The ctime is
 * safer than the mtime, which git, tar and rsync can set to any time.
 */
export function stateOf(path) {
  const stat = statSync(PROJECT + path, { bigint: true, throwIfNoEntry: false });
  return stat && `${stat.ino} ${stat.size} ${stat.ctimeNs}`;
}

/** Returns the SHA-256 digest of a file in the project; undefined if the file is missing. */
export function digestOf(path) {
  if (!existsSync(PROJECT + path)) return undefined;
  // The module that computes digests is loaded only here, because most starts do not compare contents.
  return process.getBuiltinModule("node:crypto").hash("sha256", readFileSync(PROJECT + path), "base64");
}

/** Returns the path of the bundle; undefined if any of the bundle's files or inputs is missing or changed. */
export function freshBundle() {
  return staleness() === undefined ? `${FOLDER}/${BUNDLE_NAME}` : undefined;
}

/**
 * Returns the reason why the bundle must not run; undefined if it may run. If a file's state differs, as it does in a copy, the
 * content is compared.
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

/** Stores the states of files whose contents were compared, so that the next start does not compare them again. */
function keepStates(states) {
  // The kernel's ctime advances in steps of milliseconds, so a file written just now could change again and keep the same ctime.
  const isOfThisMoment = (state) => Number(state.split(" ")[2]) / 1e6 >= performance.timeOrigin;
  if (Object.values(states).some(isOfThisMoment)) return;
  const list = `${FOLDER}/${STATES_NAME}`;
  const draft = `${list}-${process.pid}`;
  try {
    writeFileSync(draft, JSON.stringify(states), { flag: "wx" });
    // The new file gets the mode of the old one, because this process may have a stricter umask than the build had.
    chmodSync(draft, statSync(list).mode);
    renameSync(draft, list);
  } catch {
    // In a read-only folder no states can be stored, and each start compares contents again.
    rmSync(draft, { force: true });
  }
}
