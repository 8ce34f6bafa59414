import { basename, dirname } from "node:path";

/** Path of this project's tsconfig.json, used instead of the current folder's. The executable does not have the file. */
export const TSCONFIG = inProject("tsconfig.json");

/** Flags for Bun to use this project's settings instead of the current folder's. The executable has them built in. */
const BUN_FLAGS = [
  `--config=${inProject("bunfig.toml")}`,
  `--tsconfig-override=${TSCONFIG}`,
  "--no-env-file",
];

function inProject(path: string): string {
  return Bun.fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

/** The command that starts this program again, without arguments. From source, its code may be newer than this process. */
export function selfCommand(): readonly string[] {
  return Bun.isStandaloneExecutable
    ? [process.execPath]
    : [process.execPath, ...BUN_FLAGS, inProject("src/main.ts")];
}

/** The word that a person types to run this program: an executable may have another name. */
export function invocation(): string {
  const typed = Bun.isStandaloneExecutable ? process.argv0 : "petstore";
  return basename(typed, ".exe") === "petstore" ? "petstore" : typed;
}

/** Folder to put on the path, so that a shell finds `petstore`; undefined if it is there. */
export function folderOffPath(): string | undefined {
  if (Bun.which("petstore") !== null || invocation() !== "petstore") return undefined;
  return Bun.isStandaloneExecutable ? dirname(process.execPath) : inProject("").slice(0, -1);
}
