import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { type Build, buildIn, PROJECT } from "./our-commands.ts";

/** Another commit of this project in a worktree of its own, ready to run; removed at the end. */
export async function checkOut({ folder, resources, progress }: Bench, commit: string): Promise<Build> {
  const worktree = join(folder, "worktree");
  progress.step(`checking out ${commit}`);
  await run(["git", "worktree", "add", "--detach", worktree, commit], PROJECT);
  resources.defer(() => run(["git", "worktree", "remove", "--force", worktree], PROJECT));
  if (await haveSameLock(PROJECT, worktree)) {
    progress.step("linking node_modules");
    await run(["cp", "--archive", "--link", join(PROJECT, "node_modules"), worktree], PROJECT).catch(() =>
      cp(join(PROJECT, "node_modules"), join(worktree, "node_modules"), {
        recursive: true,
        verbatimSymlinks: true,
      }),
    );
    await run(["npm", "run", "--if-present", "prepare"], worktree);
  } else {
    progress.step("installing its packages with npm ci: its package-lock.json differs");
    await run(["npm", "ci", "--no-audit", "--no-progress"], worktree);
  }
  return buildIn(`${worktree}/`);
}

async function haveSameLock(...folders: readonly [string, string]): Promise<boolean> {
  const [ours, theirs] = await Promise.all(
    folders.map((folder) => readFile(join(folder, "package-lock.json"), "utf8")),
  );
  return ours === theirs;
}

async function run(command: readonly string[], cwd: string): Promise<void> {
  const child = Bun.spawn([...command], { cwd, stdout: "ignore", stderr: "pipe" });
  const [errors, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  if (code !== 0) throw new Error(`${command.slice(0, 3).join(" ")} failed: ${errors.trim().slice(-1_000)}`);
}
