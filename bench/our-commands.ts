/** A petstore to measure: this folder's, or another commit's. */
export interface Build {
  /** The command that runs `petstore`, as `npm start` does. */
  command(...args: readonly string[]): readonly string[];
  /** Runs a `petstore` command and returns its output. */
  run(...args: readonly string[]): Promise<string>;
}

export const PROJECT = Bun.fileURLToPath(new URL("../", import.meta.url));

export const OURS = buildIn(PROJECT);

/** @param folder the project's, with a slash */
export function buildIn(folder: string): Build {
  const command = (...args: readonly string[]) => ["node", `${folder}bin/petstore.js`, ...args];
  return {
    command,
    async run(...args) {
      const child = Bun.spawn(command(...args), {
        env: { PATH: Bun.env["PATH"] },
        stdout: "pipe",
        stderr: "pipe",
      });
      const [out, errors, code] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
        child.exited,
      ]);
      if (code !== 0) throw new Error(`petstore ${args.join(" ")}: ${errors}`);
      return out.trim();
    },
  };
}
