import { basename, dirname, join } from "node:path";

/** The kind of bundle. The constant exists only in bundles, where scripts/build/program.ts inserts it. */
declare const BUNDLE_KIND: "checkout" | "package" | undefined;
const bundleKind = typeof BUNDLE_KIND === "undefined" ? undefined : BUNDLE_KIND;

/** The form in which this program runs: as an executable, as a bundle, or from its sources. */
export const PROGRAM_KIND = Bun.isStandaloneExecutable ? "executable" : (bundleKind ?? "sources");

/** The folder with the pages' bundles and the migrations. Defined only in the executable and in the npm package. */
export const BUILT_FILES: string | undefined =
  Bun.isStandaloneExecutable || bundleKind === "package" ? dirname(Bun.main) : undefined;

/**
 * The path of this project's tsconfig.json. Without an explicit path, Bun would use a tsconfig.json in the current folder. The
 * executable does not need this file.
 */
export const TSCONFIG = inProject("tsconfig.json");

/** Flags that make Bun ignore settings in the current folder. The executable has them built in. */
const BUN_FLAGS = [
  `--config=${inProject("bunfig.toml")}`,
  `--tsconfig-override=${TSCONFIG}`,
  "--no-env-file",
];

/**
 * Returns the path of a file in this project. The project's folder is found from the location of the bundle or, without a bundle,
 * of this module. The executable has no such folder.
 */
export function inProject(path: string): string {
  return bundleKind === undefined
    ? Bun.fileURLToPath(new URL(`../../${path}`, import.meta.url))
    : join(dirname(Bun.main), "../..", path);
}

/**
 * Returns the command that starts this program again, without arguments. If the program runs from its sources, the new process
 * runs them as they are now.
 */
export function selfCommand(): readonly string[] {
  return Bun.isStandaloneExecutable
    ? [process.execPath]
    : [process.execPath, ...BUN_FLAGS, bundleKind === "package" ? Bun.main : inProject("src/main.ts")];
}

/**
 * Returns the command that people use to run this program, as it appears in messages. It is not always `petstore`, because the
 * executable may have been renamed.
 */
export function invocation(): string {
  const typed = Bun.isStandaloneExecutable ? process.argv0 : "petstore";
  return basename(typed, ".exe") === "petstore" ? "petstore" : typed;
}

/** Returns the folder to add to the PATH so that shells find `petstore`, or undefined if they already find it. */
export function folderOffPath(): string | undefined {
  if (Bun.which("petstore") !== null || invocation() !== "petstore") return undefined;
  return dirname(Bun.isStandaloneExecutable ? process.execPath : inProject("petstore"));
}
