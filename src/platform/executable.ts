/** The command that starts this program again, before its arguments. */
export function selfCommand(): readonly string[] {
  return Bun.isStandaloneExecutable ? [process.execPath] : [process.execPath, Bun.main];
}

/** What a person types to run it, word by word. */
export function invocation(): readonly string[] {
  return Bun.isStandaloneExecutable ? [process.argv0] : ["npx", "petstore"];
}
