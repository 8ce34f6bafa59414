import { cp, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Zippable, zipSync } from "fflate";
import { isWindows, type Target } from "./targets.ts";

const PROJECT = Bun.fileURLToPath(new URL("../../", import.meta.url));
const GUIDE = "docs/guides/run.md";
const SECTION = "## Start it\n";
/** The folder name that the guide uses as a placeholder for an archive's folder. */
const FOLDER_THERE = "petstore-VERSION-linux-x64";

interface ArchiveParts {
  readonly version: string;
  /** Path of the target's executable. */
  readonly executable: string;
  /** Path of the licence texts. */
  readonly licences: string;
  /** Folder in which the archive is written. */
  readonly into: string;
}

/**
 * Writes the archive of a target, which contains one folder with the executable, the licences and a README. The same files always
 * give the same bytes.
 *
 * @returns the archive's name: `petstore-1.1.0-linux-x64.tar.gz`, or `.zip` for Windows
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
 * Writes a reproducible tar archive, in which order, owner and time are fixed. The time is 1 January 1980, the earliest that a zip
 * file can have.
 */
async function tar(from: string, folder: string, file: string): Promise<void> {
  const same = ["--sort=name", "--mtime=1980-01-01 00:00Z", "--owner=0", "--group=0", "--numeric-owner"];
  const options = [...same, "--mode=u=rwX,go=rX", "--use-compress-program=gzip -9n"];
  await Bun.$`tar --create --file ${file} --directory ${from} ${options} ${folder}`.quiet();
}

/**
 * Writes a reproducible zip archive. File modes take effect only if `os` is Unix (APPNOTE.TXT 6.3 §4.4.2), and the format stores
 * dates in local time.
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

/** Returns the README of an archive: the introduction of the project's README, and how to run the program in the archive. */
async function readmeOf(folder: string): Promise<string> {
  const [introduction = ""] = (await Bun.file(join(PROJECT, "README.md")).text()).split(
    /^(?:## |<picture>)/m,
  );
  const sections = (await Bun.file(join(PROJECT, GUIDE)).text()).split(/^(?=## )/m);
  const running = sections.find((section) => section.startsWith(SECTION));
  if (running === undefined) throw new Error(`${GUIDE} has no section "${SECTION.trim()}".`);
  return `${introduction.trim()}\n\n${running.trim()}\n`.replaceAll(FOLDER_THERE, folder);
}
