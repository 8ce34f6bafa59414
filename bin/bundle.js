// The bundle of the program, which scripts/build-program.ts makes, and whether it may run.
import { readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const PROJECT = fileURLToPath(new URL("../", import.meta.url));
export const FOLDER = `${PROJECT}dist/program`;
export const BUNDLE_NAME = "petstore.js";
export const INPUTS_NAME = "inputs.json";

/**
 * Identity and time of the last change (ctime) of a file in the project. No program can set that time, as git, tar and rsync
 * set the time of a file's content (mtime).
 *
 * @throws Error when there is no such file
 */
export function stateOf(path) {
  const { ino, size, ctimeNs } = statSync(PROJECT + path, { bigint: true });
  return `${ino} ${size} ${ctimeNs}`;
}

/** The bundle, while its files and every file that it was made from are in place and unchanged; undefined otherwise. */
export function freshBundle() {
  try {
    const { project, states } = JSON.parse(readFileSync(`${FOLDER}/${INPUTS_NAME}`, "utf8"));
    // The bundle has the paths of the project's files in it.
    if (project !== PROJECT) return undefined;
    for (const path in states) if (stateOf(path) !== states[path]) return undefined;
    return `${FOLDER}/${BUNDLE_NAME}`;
  } catch {
    return undefined;
  }
}
