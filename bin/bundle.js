// Finds what to run: the npm package's bundle, or a checkout's, unless it is out of date; else the sources.
import { existsSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const PROJECT = fileURLToPath(new URL("../", import.meta.url));
export const FOLDER = `${PROJECT}dist/program`;
export const BUNDLE_NAME = "petstore.js";
export const INPUTS_NAME = "inputs.json";
/** Made by scripts/build-package.ts before `npm pack`. */
export const PACKED_FOLDER = `${PROJECT}dist/package`;

/** Path of the program that Bun runs. The npm package has no sources. */
export function programFile() {
  const sources = `${PROJECT}src/main.ts`;
  return existsSync(sources) ? (freshBundle() ?? sources) : `${PACKED_FOLDER}/${BUNDLE_NAME}`;
}

/**
 * Inode, size and change time (ctime) of a file in the project. No program can set the ctime, as git, tar and rsync set
 * the mtime.
 *
 * @throws Error when there is no such file
 */
export function stateOf(path) {
  const { ino, size, ctimeNs } = statSync(PROJECT + path, { bigint: true });
  return `${ino} ${size} ${ctimeNs}`;
}

/** Path of the bundle; undefined if one of its files or inputs is missing or changed. */
export function freshBundle() {
  try {
    const { project, states } = JSON.parse(readFileSync(`${FOLDER}/${INPUTS_NAME}`, "utf8"));
    // The bundle contains paths of the project's files.
    if (project !== PROJECT) return undefined;
    for (const path in states) if (stateOf(path) !== states[path]) return undefined;
    return `${FOLDER}/${BUNDLE_NAME}`;
  } catch {
    return undefined;
  }
}
