import { basename, dirname, join } from "node:path";

/** Defined by scripts/build/program.ts in the bundle of a checkout and in that of the npm package. */
declare const BUNDLE_KIND: "checkout" | "package" | undefined;
const bundleKind = typeof BUNDLE_KIND === "undefined" ? undefined : BUNDLE_KIND;

/** The form of this program that runs. */
export const PROGRAM_KIND = Bun.isStandaloneExecutable ? "executable" : (bundleKind ?? "sources");

/** Folder with the pages' bundles and the migrations: in the executable and in the npm package. The sources have none. */
export const BUILT_FILES: string | undefined =
  Bun.isStandaloneExecutable || bundleKind === "package" ? dirname(Bun.main) : undefined;

/** Path of this project's tsconfig.json, used instead of the current folder's. The executable does not have the file. */
export const TSCONFIG = inProject("tsconfig.json");

/** Flags for Bun to use this project's settings instead of the current folder's. The executable has them built in. */
const BUN_FLAGS = [
  `--config=${inProject("bunfig.toml")}`,
  `--tsconfig-override=${TSCONFIG}`,
  "--no-env-file",
];

/** Path of a file of this project: the bundles find it from their own place. The executable has no such files. */
export function inProject(path: string): string {
  return bundleKind === undefined
    ? Bun.fileURLToPath(new URL(`../../${path}`, import.meta.url))
    : join(dirname(Bun.main), "../..", path);
}

/** The command that starts this program again, without arguments. From source, its code may be newer than this process. */
export function selfCommand(): readonly string[] {
  return Bun.isStandaloneExecutable
    ? [process.execPath]
    : [process.execPath, ...BUN_FLAGS, bundleKind === "package" ? Bun.main : inProject("src/main.ts")];
}

/** The word that a person types to run this program: an executable may have another name. */
export function invocation(): string {
  const typed = Bun.isStandaloneExecutable ? process.argv0 : "petstore";
  return basename(typed, ".exe") === "petstore" ? "petstore" : typed;
}

/** Folder to put on the path, so that a shell finds `petstore`; undefined if it is there. */
export function folderOffPath(): string | undefined {
  if (Bun.which("petstore") !== null || invocation() !== "petstore") return undefined;
  return dirname(Bun.isStandaloneExecutable ? process.execPath : inProject("petstore"));
}
