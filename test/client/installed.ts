import { mkdir, mkdtemp, readdir, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { outcomeOf } from "../wire/server.ts";

const PROJECT = Bun.fileURLToPath(new URL("../../", import.meta.url));

/** Runs a program to its end; what it says on standard output. */
export async function run(folder: string, ...command: readonly string[]): Promise<string> {
  const child = Bun.spawn([...command], { cwd: folder, stdin: null, stdout: "pipe", stderr: "pipe" });
  const { code, out, err } = await outcomeOf(child);
  if (code !== 0) throw new Error(`${command.join(" ")}: ${code}\n${out}${err}`);
  return out;
}

/** A project of somebody else's, which has installed what `npm pack` packs. */
export async function installPacked(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "petstore-client-"));
  const modules = join(folder, "node_modules");
  await mkdir(join(modules, "petstore"), { recursive: true });
  const packed = (await run(PROJECT, "npm", "pack", "--silent", "--pack-destination", folder)).trim();
  await run(folder, "tar", "-xzf", packed, "--strip-components=1", "-C", "node_modules/petstore");
  // npm would install the same dependencies beside it.
  for (const name of await readdir(join(PROJECT, "node_modules"))) {
    if (!name.startsWith(".")) await symlink(join(PROJECT, "node_modules", name), join(modules, name));
  }
  await Bun.write(join(folder, "package.json"), '{ "type": "module" }\n');
  return folder;
}
