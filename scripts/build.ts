// Builds petstore as a single executable in dist/: for this machine, for the platform in --target NAME, or for all platforms with
// --all. With --archive, it also puts each executable in an archive, and adds the client's package. Files from an earlier build are
// removed.
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { version } from "../package.json";
import { writeArchive } from "./build/archive.ts";
import { buildExecutable } from "./build/executable.ts";
import { BUN_LICENCE, licenceTexts } from "./build/licences.ts";
import { sbomOf } from "./build/sbom.ts";
import { executableName, hostTarget, TARGETS, type Target } from "./build/targets.ts";

const DIST = Bun.fileURLToPath(new URL("../dist/", import.meta.url));
const SUMS = "SHA256SUMS";
const LICENCES = "LICENSES.txt";
const SBOM = "petstore.cdx.json";

const { values: flags } = parseArgs({
  options: {
    target: { type: "string", multiple: true },
    all: { type: "boolean" },
    archive: { type: "boolean" },
  },
});
const targets = targetsFrom(flags);
if (!(await Bun.file(BUN_LICENCE).exists())) {
  console.error("The development packages are missing: npm ci ran with --omit=dev. Run: npm ci");
  process.exit(1);
}
await mkdir(DIST, { recursive: true });
for (const old of new Bun.Glob(`{petstore-*,${SUMS},${LICENCES},${SBOM}}`).scanSync({ cwd: DIST }))
  await rm(join(DIST, old));
const sums: string[] = [];
await Bun.write(join(DIST, LICENCES), await licenceTexts());
for (const target of targets) await addChecksum(await (flags.archive ? archive(target) : build(target)));
if (flags.archive) await addChecksum(await packClient());
await addChecksum(LICENCES);
await Bun.write(join(DIST, SBOM), `${JSON.stringify(await sbomOf(targets), null, 2)}\n`);
await addChecksum(SBOM);
await Bun.write(join(DIST, SUMS), sums.join(""));
console.log(`dist/${SUMS}`);

async function build(target: Target): Promise<string> {
  const name = executableName(version, target);
  await buildExecutable(target, join(DIST, name));
  return name;
}

async function archive(target: Target): Promise<string> {
  const folder = await mkdtemp(join(DIST, ".archive-"));
  try {
    const executable = join(folder, "petstore");
    await buildExecutable(target, executable);
    const licences = join(DIST, LICENCES);
    return await writeArchive(target, { version, executable, licences, into: DIST });
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function packClient(): Promise<string> {
  const pack = ["npm", "pack", "--workspace", "@petstore/client", "--pack-destination", DIST];
  const name = await Bun.$`${pack} --loglevel=error`.quiet().text();
  return name.trim().split("\n").at(-1) ?? "";
}

async function addChecksum(name: string): Promise<void> {
  const bytes = await Bun.file(join(DIST, name)).bytes();
  sums.push(`${createHash("sha256").update(bytes).digest("hex")}  ${name}\n`);
  console.log(`dist/${name}  ${(bytes.byteLength / 1e6).toFixed(1)} MB`);
}

function targetsFrom({ all, target }: typeof flags): readonly Target[] {
  if (all) return TARGETS;
  const names = target ?? [hostTarget()?.name ?? `${process.platform}-${process.arch}`];
  return names.map((name) => TARGETS.find((one) => one.name === name) ?? refuse(name));
}

function refuse(name: string): never {
  console.error(`Unknown target ${name}. Use one of: ${TARGETS.map((one) => one.name).join(", ")}.`);
  process.exit(2);
}
