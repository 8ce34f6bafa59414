// Time from the start of `petstore serve` to its first response, and its memory then: the median of 20 starts of `node bin/petstore.js` and of the programs given as arguments, in turn. An argument may be the launcher of another
// checkout. For docs/releasing.md.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const STARTS = 20;
const LAUNCHER = Bun.fileURLToPath(new URL("../bin/petstore.js", import.meta.url));
const PORTS = ["production", "staging", "messages", "metrics"].flatMap((name) => [`--${name}-port`, "0"]);

interface Start {
  readonly ms: number;
  /** Kibibytes, of all its processes. */
  readonly memory: number;
}

const dataDir = await mkdtemp(join(tmpdir(), "petstore-start-"));
const programs = [LAUNCHER, ...process.argv.slice(2)].map((path, index) => ({
  path,
  command: path.endsWith(".js") ? ["node", path] : [path],
  dataDir: join(dataDir, String(index)),
  starts: [] as Start[],
}));
// The first start creates the databases and is not counted.
for (const { command, dataDir } of programs) await start(command, dataDir);
for (let turn = 0; turn < STARTS; turn++)
  for (const { command, dataDir, starts } of programs) starts.push(await start(command, dataDir));
for (const { path, starts } of programs) {
  const ms = starts.map((one) => one.ms).sort((a, b) => a - b);
  const memory = median(starts.map((one) => one.memory)) / 1024;
  console.log(
    `${path}: ${Math.round(median(ms))} ms (${Math.round(ms[0] ?? 0)}–${Math.round(ms.at(-1) ?? 0)}), ${memory.toFixed(1)} MiB`,
  );
}
await rm(dataDir, { recursive: true });

async function start(command: readonly string[], dataDir: string): Promise<Start> {
  const begun = performance.now();
  const child = Bun.spawn([...command, "serve", "--data-dir", dataDir, ...PORTS], {
    stdout: "pipe",
    stderr: "ignore",
  });
  const response = await fetch(`${await productionOrigin(child.stdout)}/healthz`);
  await response.text();
  const ms = performance.now() - begun;
  const processes = await Bun.$`ps -o rss= -p ${child.pid} --ppid ${child.pid}`.text();
  const memory = processes
    .trim()
    .split("\n")
    .reduce((sum, rss) => sum + Number(rss), 0);
  child.kill();
  await child.exited;
  return { ms, memory };
}

async function productionOrigin(stdout: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let log = "";
  for await (const chunk of stdout) {
    log += decoder.decode(chunk);
    const [, origin] = /"service":"production","address":"(http:\/\/[^/"]+)/.exec(log) ?? [];
    if (origin !== undefined) return origin;
  }
  throw new Error(`petstore serve ended before it listened: ${log}`);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
