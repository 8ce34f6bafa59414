import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

/** Returns the command that runs `petstore` with these arguments, in the same way as `npm start`. */
export type Build = (...args: readonly string[]) => readonly string[];

/** The files and processes of a benchmark run, which are removed when the run ends. */
export interface Leftovers {
  readonly folder: string;
  /** Processes and connections of the run, which are closed when the run ends. */
  readonly resources: AsyncDisposableStack;
}

export const PROJECT = Bun.fileURLToPath(new URL("../", import.meta.url));

export const OURS: Build = buildIn(PROJECT);

function buildIn(folder: string): Build {
  return (...args) => ["node", join(folder, "bin/petstore.js"), ...args];
}

/**
 * Returns the build of petstore in the folder `place`. If `place` is a commit instead, the commit is built in a separate worktree,
 * which is removed at the end.
 *
 * @throws Error if the build's bundle is missing or out of date
 */
export async function buildOf(leftovers: Leftovers, place: string): Promise<Build> {
  const folder = existsSync(join(place, "bin/petstore.js"))
    ? resolve(place)
    : await checkOut(leftovers, place);
  await refuseSources(folder);
  return buildIn(folder);
}

/** Refuses to measure petstore when it runs from its sources, because they start and run more slowly than the bundle. */
export async function refuseSources(folder: string): Promise<void> {
  const { staleness } = await import(join(folder, "bin/bundle.js"));
  const reason = staleness();
  if (reason !== undefined)
    throw new Error(`The sources of ${folder} would be measured: ${reason}. Run there: npm run prepare`);
}

async function checkOut({ folder, resources }: Leftovers, commit: string): Promise<string> {
  const worktree = join(folder, "worktree");
  await run(["git", "worktree", "add", "--detach", worktree, commit]);
  resources.defer(async () => void (await run(["git", "worktree", "remove", "--force", worktree])));
  await run(["npm", "ci", "--no-audit", "--no-progress"], { cwd: worktree });
  return worktree;
}

export async function run(
  command: readonly string[],
  { cwd = PROJECT, env = Bun.env }: { cwd?: string; env?: Record<string, string | undefined> } = {},
): Promise<string> {
  const child = Bun.spawn([...command], { cwd, env, stdout: "pipe", stderr: "pipe" });
  const [out, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`${command.slice(0, 4).join(" ")} failed: ${errors.trim().slice(-1_000)}`);
  return out.trim();
}
