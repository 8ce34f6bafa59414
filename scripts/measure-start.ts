// Start-up time of `petstore serve` until it listens on every port, and its memory then: the median of 20 starts, from the
// source and of the executables given as arguments, interleaved. For docs/releasing.md.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const STARTS = 20;
const MAIN = Bun.fileURLToPath(new URL("../src/main.ts", import.meta.url));
const PORTS = ["production", "staging", "messages", "metrics"].flatMap((name) => [`--${name}-port`, "0"]);

interface Start {
  readonly ms: number;
  /** Kibibytes. */
  readonly memory: number;
}

const executables = process.argv.slice(2);
const programs = new Map<string, readonly string[]>([["from source", [process.execPath, MAIN]]]);
for (const path of executables) programs.set(path, [path]);
const starts = new Map<string, Start[]>([...programs.keys()].map((name) => [name, []]));

const dataDir = await mkdtemp(join(tmpdir(), "petstore-start-"));
// The first start creates the databases and is not counted.
for (const [, command] of programs) await start(command);
for (let turn = 0; turn < STARTS; turn++)
  for (const [name, command] of programs) starts.get(name)?.push(await start(command));
for (const [name, all] of starts) {
  const ms = all.map((one) => one.ms).sort((a, b) => a - b);
  const memory = median(all.map((one) => one.memory)) / 1024;
  console.log(
    `${name}: ${Math.round(median(ms))} ms (${Math.round(ms[0] ?? 0)}–${Math.round(ms.at(-1) ?? 0)}), ${memory.toFixed(1)} MiB`,
  );
}
await rm(dataDir, { recursive: true });

async function start(command: readonly string[]): Promise<Start> {
  const begun = performance.now();
  const child = Bun.spawn([...command, "serve", "--data-dir", dataDir, ...PORTS], {
    stdout: "pipe",
    stderr: "ignore",
  });
  await allListen(child.stdout);
  const ms = performance.now() - begun;
  const memory = Number(await Bun.$`ps -o rss= -p ${child.pid}`.text());
  child.kill();
  await child.exited;
  return { ms, memory };
}

async function allListen(stdout: ReadableStream<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder();
  let log = "";
  for await (const chunk of stdout) {
    log += decoder.decode(chunk);
    if (log.split('"msg":"listening"').length > PORTS.length / 2) return;
  }
  throw new Error(`petstore serve ended before it listened: ${log}`);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
