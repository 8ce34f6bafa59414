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

/** The words that a person types to run this program. */
export function invocation(): readonly string[] {
  return Bun.isStandaloneExecutable ? [process.argv0] : ["npx", "petstore"];
}
