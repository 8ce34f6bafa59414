/** How imports are found, instead of by the current folder's. The executable does not have it. */
export const TSCONFIG = inProject("tsconfig.json");

/** Bun's own settings, instead of those in the current folder. An executable is built with them. */
const BUN_FLAGS = [
  `--config=${inProject("bunfig.toml")}`,
  `--tsconfig-override=${TSCONFIG}`,
  "--no-env-file",
];

function inProject(path: string): string {
  return Bun.fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

/** The command that starts this program again, before its arguments: from its sources, which may be newer than this process. */
export function selfCommand(): readonly string[] {
  return Bun.isStandaloneExecutable
    ? [process.execPath]
    : [process.execPath, ...BUN_FLAGS, inProject("src/main.ts")];
}

/** The words that a person types to run it. */
export function invocation(): readonly string[] {
  return Bun.isStandaloneExecutable ? [process.argv0] : ["npx", "petstore"];
}
