import { cp, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Zippable, zipSync } from "fflate";
import { isWindows, type Target } from "./targets.ts";

const PROJECT = Bun.fileURLToPath(new URL("../../", import.meta.url));
const GUIDE = "docs/guides/run.md";
const SECTION = "## Start it\n";
/** The guide's placeholder for the name of the archive's folder. In the archive, the real name replaces it. */
const FOLDER_THERE = "petstore-VERSION-linux-x64";

interface ArchiveParts {
  readonly version: string;
  readonly executable: string;
  readonly licences: string;
  readonly into: string;
}

/**
 * Writes the archive for one platform. It contains a folder with the executable, the licences and a README. The same files always
 * give an identical archive.
 *
 * @returns the archive's name, such as `petstore-1.1.0-linux-x64.tar.gz`, or `.zip` for Windows
 */
export async function writeArchive(
  target: Target,
  { version, executable, licences, into }: ArchiveParts,
): Promise<string> {
  const folder = `petstore-${version}-${target.name}`;
  const draft = await mkdtemp(join(into, ".archive-"));
  try {
    const content = join(draft, folder);
    await mkdir(content);
    await cp(executable, join(content, isWindows(target) ? "petstore.exe" : "petstore"));
    await cp(licences, join(content, "LICENSES.txt"));
    await cp(join(PROJECT, "LICENSE"), join(content, "LICENSE"));
    await Bun.write(join(content, "README.md"), await readmeOf(folder));
    const name = `${folder}${isWindows(target) ? ".zip" : ".tar.gz"}`;
    const file = join(draft, name);
    if (isWindows(target)) await zip(draft, folder, file);
    else await tar(draft, folder, file);
    await rename(file, join(into, name));
    return name;
  } finally {
    await rm(draft, { recursive: true });
  }
}

/**
 * Writes a tar archive that is always identical for the same files, because their order, owner and time are fixed. The time is 1
 * January 1980, the earliest that a zip file can contain.
 */
async function tar(from: string, folder: string, file: string): Promise<void> {
  const same = ["--sort=name", "--mtime=1980-01-01 00:00Z", "--owner=0", "--group=0", "--numeric-owner"];
  const options = [...same, "--mode=u=rwX,go=rX", "--use-compress-program=gzip -9n"];
  await Bun.$`tar --create --file ${file} --directory ${from} ${options} ${folder}`.quiet();
}

/**
 * Writes a zip archive that is always identical for the same files. `os` is Unix, because otherwise the files' permissions are
 * ignored (APPNOTE.TXT 6.3 §4.4.2). The zip format stores dates in local time.
 */
async function zip(from: string, folder: string, file: string): Promise<void> {
  const files: Zippable = {};
  for (const name of (await readdir(join(from, folder))).sort())
    files[`${folder}/${name}`] = await Bun.file(join(from, folder, name)).bytes();
  const [unix, regularFile] = [3, 0o100755 << 16];
  await Bun.write(
    file,
    zipSync(files, { level: 9, mtime: new Date(1980, 0, 1), os: unix, attrs: regularFile }),
  );
}

/** Returns the README for an archive: the introduction from the project's README, and instructions for running the program. */
async function readmeOf(folder: string): Promise<string> {
  const [introduction = ""] = (await Bun.file(join(PROJECT, "README.md")).text()).split(
    /^(?:## |<picture>)/m,
  );
  const sections = (await Bun.file(join(PROJECT, GUIDE)).text()).split(/^(?=## )/m);
  const running = sections.find((section) => section.startsWith(SECTION));
  if (running === undefined) throw new Error(`${GUIDE} has no section "${SECTION.trim()}".`);
  return `${introduction.trim()}\n\n${running.trim()}\n`.replaceAll(FOLDER_THERE, folder);
}
