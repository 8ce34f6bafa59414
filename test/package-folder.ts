/** Installs a package of its own, below test/, just as its lockfile says. */
export async function install(folder: string): Promise<void> {
  const npm = Bun.spawn(["npm", "ci", "--loglevel=error", "--no-audit"], {
    cwd: folder,
    stdout: "ignore",
    stderr: "inherit",
  });
  if ((await npm.exited) !== 0) throw new Error(`npm ci failed in ${folder}`);
}
