// `npm run bench` compares petstore's performance with that of other servers. The servers are measured in turn.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { staleness } from "../bin/bundle.js";
import { OURS, PROJECT, refuseSources, run } from "./builds.ts";
import { compare, growth, start } from "./contests.ts";
import { costs } from "./costs.ts";
import { type Options, readOptions, USAGE } from "./options.ts";
import { pin } from "./server-process.ts";
import { createKey } from "./stores.ts";

const PARTS = { compare, start, growth, costs };
const args = process.argv.slice(2);
const HERE = Bun.fileURLToPath(new URL(".", import.meta.url));

let options: Options;
try {
  options = readOptions(args);
} catch (error) {
  say(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  process.exit(2);
}
// The other servers in the benchmark need npm packages that petstore does not need.
if (!existsSync(`${HERE}node_modules/.package-lock.json`)) {
  say("Installing the peers' packages into bench/node_modules with npm ci, which takes a minute.");
  await run(["npm", "ci", "--no-progress"], { cwd: HERE });
}
if (staleness() !== undefined) await run([process.execPath, "scripts/build-program.ts"]);
await refuseSources(PROJECT);
// The costs are not measured on a single core, because the several processes would only compete for that core.
if (options.part !== "costs" && !pin())
  say("Not pinned: taskset or a second core is missing, servers and load share cores.");
const origin = [
  `\`${["npm run bench --", ...args].join(" ")}\``,
  new Date().toISOString().slice(0, 10),
  `${cpus().length} cores (${cpus()[0]?.model})`,
  `load ${loadavg()[0]?.toFixed(1)}`,
].join(", ");
await using resources = new AsyncDisposableStack();
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void resources.disposeAsync().finally(() => process.exit(1)));
const folder = mkdtempSync(join(tmpdir(), "petstore-bench-"));
resources.defer(() => rmSync(folder, { recursive: true, force: true }));
const unknownKey = await createKey(OURS, "--data-dir", join(folder, "elsewhere"));
const bench = { folder, options, resources, unknownKey, origin };
await PARTS[options.part](bench);

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
