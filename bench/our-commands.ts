const PROJECT = Bun.fileURLToPath(new URL("../", import.meta.url));

/** The command that runs `petstore` from this folder, as `npm start` does. */
export function petstoreCommand(...args: readonly string[]): readonly string[] {
  return ["node", `${PROJECT}bin/bun.js`, `${PROJECT}src/main.ts`, ...args];
}

/** Runs a `petstore` command and returns its output. */
export async function petstore(...args: readonly string[]): Promise<string> {
  const child = Bun.spawn([...petstoreCommand(...args)], {
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
}
