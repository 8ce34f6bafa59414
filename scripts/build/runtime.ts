import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { LOCKED } from "./shipped-packages.ts";
import { hostTarget, type Target } from "./targets.ts";

const PROJECT = Bun.fileURLToPath(new URL("../../", import.meta.url));
const CACHE = join(PROJECT, "node_modules/.cache/petstore-runtimes");

/**
 * Returns the path of Bun for a platform. For this machine, it is the installed Bun. For any other platform, Bun is downloaded from
 * npm's registry, and verified with the checksum in `package-lock.json`.
 *
 * @param folder the folder that the package is unpacked to
 */
export async function runtimeFor(target: Target, folder: string): Promise<string> {
  if (target === hostTarget()) return process.execPath;
  const archive = await runtimeArchive(target);
  await Bun.$`tar -xzf ${archive} -C ${folder} ${target.runtimePath}`.quiet();
  return join(folder, target.runtimePath);
}

/**
 * Returns the path of the cached package with Bun for a platform, and downloads it if necessary. The checksum is verified each
 * time.
 */
async function runtimeArchive({ runtimePackage }: Target): Promise<string> {
  const { version, integrity } = lockedPackage(runtimePackage);
  const kept = await cachedPackage(runtimePackage, version);
  const hash = createHash("sha512").update(await Bun.file(kept).bytes());
  const found = `sha512-${hash.digest("base64")}`;
  if (found !== integrity)
    throw new Error(`${kept} does not match package-lock.json: ${found}. Remove it and build again.`);
  return kept;
}

/** Returns the path of an npm package's archive in the cache, and downloads it from npm's registry if necessary. */
export async function cachedPackage(name: string, version: string): Promise<string> {
  const kept = join(CACHE, `${name.replace("/", "-")}-${version}.tgz`);
  if (!(await Bun.file(kept).exists())) await fetchPackage(`${name}@${version}`, kept);
  return kept;
}

function lockedPackage(name: string): { readonly version: string; readonly integrity: string } {
  const { version, integrity } = LOCKED[`node_modules/${name}`] ?? {};
  if (version === undefined || integrity === undefined)
    throw new Error(`package-lock.json has no ${name}. Run: npm install`);
  return { version, integrity };
}

async function fetchPackage(specifier: string, to: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const draft = await mkdtemp(join(CACHE, "draft-"));
  try {
    const npm = await Bun.$`npm pack ${specifier} --loglevel=error --pack-destination ${draft}`
      .nothrow()
      .quiet();
    if (npm.exitCode !== 0) throw new Error(`npm could not fetch ${specifier}: ${npm.stderr}`);
    await rename(join(draft, npm.stdout.toString().trim()), to);
  } finally {
    await rm(draft, { recursive: true });
  }
}
