import { join } from "node:path";
import { releaseChanges } from "./changelog.ts";

/** Files that contain the version of petstore. The OpenAPI documents have a version of their own. */
export const VERSIONED_FILES = [
  "package.json",
  "client/package.json",
  "package-lock.json",
  "CHANGELOG.md",
] as const;

/**
 * Writes a version into every file that contains it.
 *
 * @param date in the form `2026-11-21`
 * @throws Error if npm fails; some of the files may have been written
 */
export async function writeVersion(folder: string, version: string, date: string): Promise<void> {
  const where = ["--workspace=@petstore/client", "--include-workspace-root", "--package-lock-only"];
  const only = ["--no-git-tag-version", "--allow-same-version", "--ignore-scripts", "--offline"];
  const { exitCode, stderr } = await Bun.$`npm version ${version} ${where} ${only}`
    .cwd(folder)
    .quiet()
    .nothrow();
  if (exitCode !== 0) throw new Error(`npm version ${version} has failed. ${stderr}`.trimEnd());
  const changelog = Bun.file(join(folder, "CHANGELOG.md"));
  await Bun.write(changelog, releaseChanges(await changelog.text(), version, date));
}
