// Interrupts the start, the first writes and the end of an embedded store. A child process (`cut-off-child.ts`) makes each of
// their file calls fail in turn, and also dies before each of them, by a kill or a power loss. Then a process with a sound disk
// opens the store.
import { rmSync } from "node:fs";
import { freshEmbeddedStore } from "../../wire/stores.ts";
import { createCrashDisk } from "./disk-control.ts";

export interface CutOff {
  /** One line for each store that was refused, has lost something, or has reused an identifier. */
  readonly problems: readonly string[];
  /** Number of stores that were opened again. */
  readonly stores: number;
  /** Number of calls that failed, keyed by the name of the call. */
  readonly failed: Readonly<Record<string, number>>;
}

/** @param every 1 to fail each file call, 5 to fail every fifth one, beginning with a random one */
export async function cutOffEverywhere(every: number, seed: number): Promise<CutOff> {
  const store = await freshEmbeddedStore();
  const disk = createCrashDisk(store);
  try {
    const child = Bun.spawn(
      [
        process.execPath,
        Bun.fileURLToPath(new URL("cut-off-child.ts", import.meta.url)),
        String(every),
        String(seed),
      ],
      { env: { ...process.env, ...disk.mount() }, stdout: "pipe", stderr: "inherit" },
    );
    const text = await child.stdout.text();
    if ((await child.exited) !== 0) throw new Error(`The child process failed: ${text}`);
    return JSON.parse(text);
  } finally {
    disk.remove();
    rmSync(store.dataDir, { recursive: true, force: true });
  }
}
