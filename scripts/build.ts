// Builds the single executable into dist/, for this machine; --target NAME for another, --all for every one. What was there of
// an earlier build goes.
import { createHash } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { version } from "../package.json";
import { buildExecutable } from "./build/executable.ts";
import { licenceTexts } from "./build/licences.ts";
import { executableName, hostTarget, TARGETS, type Target } from "./build/targets.ts";

const DIST = Bun.fileURLToPath(new URL("../dist/", import.meta.url));
const SUMS = "SHA256SUMS";
const LICENCES = "LICENSES.txt";

const targets = askedFor(process.argv.slice(2));
await mkdir(DIST, { recursive: true });
for (const old of new Bun.Glob(`{petstore-*,${SUMS},${LICENCES}}`).scanSync({ cwd: DIST }))
  await rm(join(DIST, old));
const sums: string[] = [];
for (const target of targets) {
  const name = executableName(version, target);
  await buildExecutable(target, join(DIST, name));
  await tellOf(name);
}
await Bun.write(join(DIST, LICENCES), await licenceTexts());
await tellOf(LICENCES);
await Bun.write(join(DIST, SUMS), sums.join(""));
console.log(`dist/${SUMS}`);

async function tellOf(name: string): Promise<void> {
  const bytes = await Bun.file(join(DIST, name)).bytes();
  sums.push(`${createHash("sha256").update(bytes).digest("hex")}  ${name}\n`);
  console.log(`dist/${name}  ${(bytes.byteLength / 1e6).toFixed(1)} MB`);
}

function askedFor(args: string[]): readonly Target[] {
  const { values } = parseArgs({
    args,
    options: { target: { type: "string", multiple: true }, all: { type: "boolean" } },
  });
  if (values.all) return TARGETS;
  const names = values.target ?? [hostTarget()?.name ?? `${process.platform}-${process.arch}`];
  return names.map((name) => TARGETS.find((one) => one.name === name) ?? refuse(name));
}

function refuse(name: string): never {
  console.error(`There is no ${name} to build for, only: ${TARGETS.map((one) => one.name).join(", ")}.`);
  process.exit(2);
}
