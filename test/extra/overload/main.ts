// `npm run lab -- overload`: twice the service's capacity for a minute, and the time after it.
import { rm } from "node:fs/promises";
import { parseArgs } from "node:util";
import { startProcess } from "../../wire/process.ts";
import { makeKey } from "../../wire/server.ts";
import { freshEmbeddedStore, freshPostgresStore } from "../../wire/stores.ts";
import type { Load, Report } from "./clients.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    connections: { type: "string", default: "1000" },
    /** Load as a multiple of the capacity. */
    times: { type: "string", default: "2" },
    engine: { type: "string", default: "sqlite" },
    /** Share of the capacity required after the overload; half of it during the overload. */
    speed: { type: "string", default: "0.5" },
    /** Milliseconds within which 99 % of the accepted requests are answered. */
    p99: { type: "string", default: "5000" },
  },
});
const seconds = Number(values.seconds);
const connections = Number(values.connections);
const speed = Number(values.speed);

const MEMORY_GROWTH_MAX = 1.3;

const store = await (values.engine === "postgres" ? freshPostgresStore() : freshEmbeddedStore());
const server = await startProcess({ store, env: { PETSTORE_LOG: "info" } });
const key = await makeKey(store);
const port = Number(new URL(server.production).port);
const memory: number[] = [];
const faults: string[] = [];

function runLoad(load: Omit<Load, "port" | "key">): Promise<Report> {
  const { promise, resolve, reject } = Promise.withResolvers<Report>();
  const child = Bun.spawn([process.execPath, Bun.fileURLToPath(new URL("clients.ts", import.meta.url))], {
    stdio: ["ignore", "inherit", "inherit"],
    ipc(report: Report) {
      resolve(report);
      child.kill();
    },
    onExit: () => reject(new Error("The clients ended.")),
  });
  child.send({ ...load, port, key });
  return promise;
}

async function residentMegabytes(): Promise<number> {
  const pages = Number((await Bun.file(`/proc/${server.pid}/statm`).text()).split(" ")[1]);
  return (pages * 4096) / 1e6;
}

function print(title: string, report: Report): void {
  const { accepted, rejected, lost, unsent, others, p50, p99, seconds } = report;
  const perSecond = (count: number) => Math.round(count / seconds).toLocaleString("en");
  console.log(
    `${title.padEnd(22)}${perSecond(accepted)} accepted/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms; ` +
      `${perSecond(rejected)} rejected/s; unsent ${unsent}, lost ${lost}, other ${JSON.stringify(others)}`,
  );
  if (lost > 0) faults.push(`${title}: ${lost} requests were not answered`);
  if (Object.keys(others).length > 0) faults.push(`${title}: ${JSON.stringify(others)}`);
}

function tenths(samples: readonly number[]): readonly string[] {
  const step = Math.max(1, Math.floor(samples.length / 10));
  return samples.filter((_, index) => index % step === 0).map((sample) => sample.toFixed(0));
}

function require(holds: boolean, fault: string): void {
  if (!holds) faults.push(fault);
}

await runLoad({ connections: 64, milliseconds: 2_000 });
const before = await runLoad({ connections: 64, milliseconds: 5_000 });
print("what it carries", before);
const capacity = before.accepted / before.seconds;
const isWatching = setInterval(async () => memory.push(await residentMegabytes()), 1_000);
const rate = capacity * Number(values.times);
const during = await runLoad({ connections, milliseconds: seconds * 1_000, rate });
print(`${values.times} times that`, during);
clearInterval(isWatching);
// The first client process has ended by now; the next one measures from the first instant.
const after = await runLoad({ connections: 64, milliseconds: 2_000 });
print("the 2 s after", after);

const early = Math.max(...memory.slice(0, Math.ceil(memory.length / 2)));
const late = Math.max(...memory.slice(Math.ceil(memory.length / 2)));
console.log(`memory, every tenth of the time: ${tenths(memory).join(", ")} MB`);
if (values.engine === "postgres") require(during.rejected > 0, "nothing was rejected");
require(during.p99 < Number(values.p99), `p99 of accepted requests: ${during.p99} ms`);
require(during.accepted / during.seconds > (capacity * speed) / 2, "accepted far less than it carries");
require(late < early * MEMORY_GROWTH_MAX, "memory grew");
require(after.rejected === 0, "still rejecting after the load had fallen");
require(after.accepted / after.seconds > capacity * speed, "not at full speed within 2 s");
require((await server.stop()) === 0, "did not stop with 0");
await rm(store.dataDir, { recursive: true, force: true });
console.log(faults.length === 0 ? "passed" : `FAILED: ${faults.join("; ")}`);
// A PostgreSQL that this program started would keep it alive.
process.exit(faults.length === 0 ? 0 : 1);
