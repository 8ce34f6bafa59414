import { basename, dirname, join } from "node:path";

/** The kind of the bundle. Defined only in a bundle, by scripts/build/program.ts. */
declare const BUNDLE_KIND: "checkout" | "package" | undefined;
const bundleKind = typeof BUNDLE_KIND === "undefined" ? undefined : BUNDLE_KIND;

/** The form in which this program runs. */
export const PROGRAM_KIND = Bun.isStandaloneExecutable ? "executable" : (bundleKind ?? "sources");

/**
 * The folder that contains the bundles of the pages and the migrations. It exists only in the executable and in the npm package.
 */
export const BUILT_FILES: string | undefined =
  Bun.isStandaloneExecutable || bundleKind === "package" ? dirname(Bun.main) : undefined;

/**
 * The path of this project's tsconfig.json. Bun is told the path explicitly, because it would otherwise use a tsconfig.json in the
 * current folder. The executable does not need the file.
 */
export const TSCONFIG = inProject("tsconfig.json");

/** Flags that make Bun ignore settings in the current folder. They are built into the executable. */
const BUN_FLAGS = [
  `--config=${inProject("bunfig.toml")}`,
  `--tsconfig-override=${TSCONFIG}`,
  "--no-env-file",
];

/**
 * Returns the path of a file in this project's folder. It is found from the location of the bundle or, without a bundle, of this
 * module. The executable has no such folder.
 */
export function inProject(path: string): string {
  return bundleKind === undefined
    ? Bun.fileURLToPath(new URL(`../../${path}`, import.meta.url))
    : join(dirname(Bun.main), "../..", path);
}

/**
 * Returns the command that starts this program again, without arguments. If the program runs from source, the new process may run
 * newer code than this one.
 */
export function selfCommand(): readonly string[] {
  return Bun.isStandaloneExecutable
    ? [process.execPath]
    : [process.execPath, ...BUN_FLAGS, bundleKind === "package" ? Bun.main : inProject("src/main.ts")];
}

/**
 * Returns the command that a person types to run this program, for use in messages. It is not always `petstore`, because the
 * executable may have been renamed.
 */
export function invocation(): string {
  const typed = Bun.isStandaloneExecutable ? process.argv0 : "petstore";
  return basename(typed, ".exe") === "petstore" ? "petstore" : typed;
}

/** Returns the folder that must be added to the PATH so that a shell finds `petstore`; undefined if the shell already finds it. */
export function folderOffPath(): string | undefined {
  if (Bun.which("petstore") !== null || invocation() !== "petstore") return undefined;
  return dirname(Bun.isStandaloneExecutable ? process.execPath : inProject("petstore"));
}
