import { existsSync } from "node:fs";
import type { Progress } from "./progress.ts";

const FOLDER = Bun.fileURLToPath(new URL(".", import.meta.url));

/** Installed on the first run only: petstore needs none of them. */
export async function installPackages(progress: Progress): Promise<void> {
  if (existsSync(`${FOLDER}node_modules/.package-lock.json`)) return;
  progress.step("Installing the peers' packages into bench/node_modules with npm ci, which takes a minute");
  const npm = Bun.spawn(["npm", "ci", "--no-progress"], { cwd: FOLDER, stdout: "ignore", stderr: "pipe" });
  const [errors, code] = await Promise.all([new Response(npm.stderr).text(), npm.exited]);
  if (code !== 0) throw new Error(`npm ci in bench/ failed:\n${errors}`);
}

/** A package with native code may have failed to compile. */
export function isInstalled(name: string): boolean {
  return existsSync(`${FOLDER}node_modules/${name}/package.json`);
}
