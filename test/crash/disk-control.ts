import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "../wire/server.ts";
import { type Disk, diskAfterPowerLoss } from "./power-loss.ts";
import type { Random } from "./random.ts";

/** What a disk can do to a program; the numbers are disk.c's. */
export const FAULTS = {
  none: 0,
  full: 1,
  syncFails: 2,
  readOnly: 4,
  writeFails: 8,
  checkpointFails: 16,
} as const;
export type Fault = keyof typeof FAULTS;

/** A disk of the test's own under one store. */
export interface CrashDisk {
  /** What a server's environment needs to have, so that it runs on this disk; the trace begins anew. */
  mount(): Readonly<Record<string, string>>;
  /** From now on the disk behaves like this. */
  set(fault: Fault): void;
  /** The server is gone, and so is the power: leaves in the folder what a disk would have kept. */
  losePower(random: Random): void;
  /** Where everything is that led to the state of the folder. */
  readonly evidence: string;
  remove(): void;
}

interface DiskOptions {
  /** SQLite's setting, where it is not to be the product's own. */
  readonly synchronous?: "NORMAL";
}

export function createCrashDisk({ dataDir }: Store, { synchronous }: DiskOptions = {}): CrashDisk {
  const evidence = mkdtempSync(join(tmpdir(), "petstore-disk-"));
  const trace = join(evidence, "trace");
  const control = join(evidence, "control");
  let before: Disk = new Map();
  writeFileSync(control, new Uint8Array([FAULTS.none]));
  return {
    evidence,
    mount() {
      before = readFolder(dataDir);
      writeFileSync(trace, "");
      return {
        BUN_OPTIONS: `--preload=${Bun.fileURLToPath(new URL("disk.ts", import.meta.url))}`,
        PETSTORE_CRASH_FOLDER: dataDir,
        PETSTORE_CRASH_CONTROL: control,
        PETSTORE_CRASH_TRACE: trace,
        ...(synchronous && { PETSTORE_CRASH_SYNCHRONOUS: synchronous }),
      };
    },
    set(fault) {
      // In place: the server looks at the file's one byte through a mapping.
      const descriptor = openSync(control, "r+");
      writeSync(descriptor, new Uint8Array([FAULTS[fault]]), 0, 1, 0);
      closeSync(descriptor);
    },
    losePower(random) {
      writeFolder(dataDir, diskAfterPowerLoss(before, readFileSync(trace), random));
    },
    remove: () => rmSync(evidence, { recursive: true, force: true }),
  };
}

/** All but the indexes of write-ahead logs, which are made anew from the logs. */
function readFolder(folder: string): Disk {
  const names = readdirSync(folder).filter((name) => !name.endsWith("-shm"));
  return new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
}

function writeFolder(folder: string, disk: Disk): void {
  rmSync(folder, { recursive: true });
  mkdirSync(folder, { mode: 0o700 });
  for (const [name, bytes] of disk) writeFileSync(join(folder, name), bytes);
}
