import { basename, dirname, join } from "node:path";

/** Defined only in a bundle, by scripts/build/program.ts. */
declare const BUNDLE_KIND: "checkout" | "package" | undefined;
const bundleKind = typeof BUNDLE_KIND === "undefined" ? undefined : BUNDLE_KIND;

/** The form in which this program runs. */
export const PROGRAM_KIND = Bun.isStandaloneExecutable ? "executable" : (bundleKind ?? "sources");

/** Folder with the pages' bundles and the migrations. Only the executable and the npm package have it. */
export const BUILT_FILES: string | undefined =
  Bun.isStandaloneExecutable || bundleKind === "package" ? dirname(Bun.main) : undefined;

/** Path of this project's tsconfig.json, so that Bun does not use the current folder's. The executable does not need it. */
export const TSCONFIG = inProject("tsconfig.json");

/** Flags that make Bun ignore the settings of the current folder. The executable has them built in. */
const BUN_FLAGS = [
  `--config=${inProject("bunfig.toml")}`,
  `--tsconfig-override=${TSCONFIG}`,
  "--no-env-file",
];

/** Path of a file in this project's folder, relative to the bundle's or this module's place. The executable has no such folder. */
export function inProject(path: string): string {
  return bundleKind === undefined
    ? Bun.fileURLToPath(new URL(`../../${path}`, import.meta.url))
    : join(dirname(Bun.main), "../..", path);
}

/**
 * The command that starts this program again, without arguments. Run from source, the new process may have newer code than this
 * one.
 */
export function selfCommand(): readonly string[] {
  return Bun.isStandaloneExecutable
    ? [process.execPath]
    : [process.execPath, ...BUN_FLAGS, bundleKind === "package" ? Bun.main : inProject("src/main.ts")];
}

/**
 * The command that a person types to run this program, for messages. The name is not constant: an executable may have been
 * renamed.
 */
export function invocation(): string {
  const typed = Bun.isStandaloneExecutable ? process.argv0 : "petstore";
  return basename(typed, ".exe") === "petstore" ? "petstore" : typed;
}

/** Folder to add to the PATH so that a shell finds `petstore`; undefined if the shell already does. */
export function folderOffPath(): string | undefined {
  if (Bun.which("petstore") !== null || invocation() !== "petstore") return undefined;
  return dirname(Bun.isStandaloneExecutable ? process.execPath : inProject("petstore"));
}
