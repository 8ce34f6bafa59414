// Interrupts a SQLite store while it starts, while it makes its first writes, and while it shuts down. A child process
// (`cut-off-child.ts`) makes each file operation fail, one at a time. It also ends the process before each operation, as a kill or
// a power loss would. After each interruption, the store is opened on a disk without faults.
import { rmSync } from "node:fs";
import { freshEmbeddedStore } from "../../wire/stores.ts";
import { createCrashDisk } from "./disk-control.ts";

export interface CutOff {
  /** One line for each interrupted store that could not be opened, has lost data, or has assigned an identifier twice. */
  readonly problems: readonly string[];
  /** The number of stores that were opened after an interruption. */
  readonly stores: number;
  /** The number of failed file operations, keyed by their name, such as `write`. */
  readonly failed: Readonly<Record<string, number>>;
}

interface Sweep {
  /**
   * The interval between failing file operations: with 1, each one fails; with 5, every fifth one fails, starting at a random one.
   */
  readonly every: number;
  readonly seed: number;
}

export async function cutOffEverywhere({ every, seed }: Sweep): Promise<CutOff> {
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
