import { cp, mkdir, mkdtemp, readdir, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { outcomeOf } from "../wire/process.ts";

export const PROJECT = Bun.fileURLToPath(new URL("../../", import.meta.url));

/** Runs a program until it ends. Resolves to its standard output. */
export async function run(folder: string, ...command: readonly string[]): Promise<string> {
  const child = Bun.spawn([...command], { cwd: folder, stdin: null, stdout: "pipe", stderr: "pipe" });
  const { code, out, err } = await outcomeOf(child);
  if (code !== 0) throw new Error(`${command.join(" ")}: ${code}\n${out}${err}`);
  return out;
}

/**
 * Copies parts of the project to a new folder, and links to some npm packages. Several builds can run at the same time, each in its
 * own folder.
 */
export async function copyProject(parts: readonly string[], packages: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "petstore copy "));
  for (const part of parts)
    await cp(join(PROJECT, part), join(folder, part), {
      recursive: true,
      filter: (path) => !/client\/dist/.test(path),
    });
  await mkdir(join(folder, "node_modules"));
  for (const name of packages)
    await symlink(join(PROJECT, "node_modules", name), join(folder, "node_modules", name));
  return folder;
}

/** The files of the project that `npm pack` and `npm publish` need to build the client. */
export const CLIENT_PARTS = ["client", "exact-json", "bin", "scripts/build-client.ts", "tsconfig.json"];
export const COMPILER = ["typescript", "@typescript"];
export const RUNTIME = ["bun", "@oven", "exact-json"];

/** Creates an empty project, in which npm installs the packed client. `added` is npm's output. */
export async function installClient(): Promise<{ project: string; packed: string; added: string }> {
  const sources = await copyProject(CLIENT_PARTS, [...RUNTIME, ...COMPILER]);
  const project = await mkdtemp(join(tmpdir(), "petstore-client-"));
  await Bun.write(join(project, "package.json"), '{ "type": "module" }\n');
  const pack = ["npm", "pack", "--silent", "--pack-destination", project];
  const packed = join(project, (await run(join(sources, "client"), ...pack)).trim());
  const added = await run(project, "npm", "install", "--offline", "--no-audit", "--no-fund", packed);
  return { project, packed, added };
}

/** Packs the npm package of petstore into a new folder, and returns the path of the archive. */
export async function packServer(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "petstore-pack-"));
  // Does not run the script `prepare`, because it would replace the bundle that tests are using at the same time.
  await run(PROJECT, "npm", "run", "--silent", "prepack");
  const pack = ["npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", folder];
  const printed = await run(PROJECT, ...pack);
  return join(folder, printed.trim());
}

/** Creates an empty folder, in which npm installs the packed petstore. */
export async function installServer(packed: string, ...options: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "petstore-server-"));
  await run(folder, "npm", "install", "--prefer-offline", "--no-audit", ...options, packed);
  return folder;
}

/** Links packages from this project, so that they need not be downloaded again. */
export async function linkPackages(modules: string, isWanted: (name: string) => boolean): Promise<void> {
  for (const name of await readdir(join(PROJECT, "node_modules")))
    if (!name.startsWith(".") && isWanted(name))
      await symlink(join(PROJECT, "node_modules", name), join(modules, name));
}
