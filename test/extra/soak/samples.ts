import { appendFile, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { SoakedService } from "./service.ts";

const COLUMNS = [
  "seconds",
  "requests",
  "privateKb",
  "residentKb",
  "cpuSeconds",
  "descriptors",
  "streams",
  "lastPetId",
  "lastEventId",
  "filesKb",
  "logsKb",
] as const;

/**
 * A line of the CSV file. Memory and file sizes are in units of 1,024 bytes. `logsKb` is the size of the write-ahead logs (`-wal`)
 * of the databases.
 */
export type Sample = Readonly<Record<(typeof COLUMNS)[number], number>>;

interface Sampled {
  readonly service: SoakedService;
  readonly dataDir: string;
  readonly key: string;
  readonly requests: () => number;
}

/** Creates a CSV file. Returns a function that appends one line on each call. */
export async function createSampler(file: string, sampled: Sampled): Promise<() => Promise<Sample>> {
  const startedAt = performance.now();
  await appendFile(file, `${COLUMNS.join(",")}\n`);
  return async () => {
    const sample = {
      seconds: Math.round((performance.now() - startedAt) / 1_000),
      ...(await measure(sampled)),
    };
    await appendFile(file, `${COLUMNS.map((column) => sample[column]).join(",")}\n`);
    return sample;
  };
}

async function measure({ service, dataDir, key, requests }: Sampled): Promise<Omit<Sample, "seconds">> {
  const { pid, production, metrics } = service;
  const memory = await readFile(`/proc/${pid}/smaps_rollup`, "utf8");
  const kb = (name: string) => Number(new RegExp(`^${name}: +(\\d+) kB`, "m").exec(memory)?.[1]);
  const text = await (await fetch(new URL("/metrics", metrics))).text();
  const metric = (name: string) => Number(new RegExp(`^${name} (\\S+)`, "m").exec(text)?.[1]);
  const headers = { Authorization: `Bearer ${key}` };
  const lastId = async (list: string): Promise<number> => {
    const [newest] = Object(await (await fetch(`${production}/${list}?limit=1`, { headers })).json());
    return newest?.id ?? 0;
  };
  const files = await readdir(dataDir);
  const sizes = await Promise.all(
    files.map(async (name) => ({ name, ...(await sizeOf(join(dataDir, name))) })),
  );
  const sumOf = (chosen: typeof sizes) =>
    Math.round(chosen.reduce((sum, { bytes }) => sum + bytes, 0) / 1_024);
  return {
    requests: requests(),
    privateKb: kb("Private_Clean") + kb("Private_Dirty"),
    residentKb: kb("Rss"),
    cpuSeconds: metric("process_cpu_seconds_total"),
    descriptors: (await readdir(`/proc/${pid}/fd`)).length,
    streams: metric("petstore_event_streams"),
    lastPetId: await lastId("pets"),
    lastEventId: await lastId("events"),
    filesKb: sumOf(sizes.filter(({ name }) => name.endsWith(".sqlite"))),
    logsKb: sumOf(sizes.filter(({ name }) => name.endsWith("-wal"))),
  };
}

/** Returns the size of a file, or 0 if the file has been removed in the meantime. */
async function sizeOf(path: string): Promise<{ bytes: number }> {
  return { bytes: (await stat(path).catch(() => undefined))?.size ?? 0 };
}
