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
import type { Random } from "../../random.ts";
import type { Store } from "../../wire/stores.ts";
import { type Disk, diskAfterPowerLoss } from "./power-loss.ts";

/** Faults of a disk; the numbers are disk.c's. */
export const FAULTS = {
  none: 0,
  full: 1,
  syncFails: 2,
  readOnly: 4,
  writeFails: 8,
  checkpointFails: 16,
} as const;
export type Fault = keyof typeof FAULTS;

/** The calls that can be counted; the numbers are disk.c's. */
export const COUNTED_CALLS = { pread: 1, open: 2, fcntl: 3 } as const;

/** Which call fails. */
export interface CountedFault {
  readonly call: keyof typeof COUNTED_CALLS;
  /** How the names of the files begin whose calls are counted. */
  readonly file: string;
  /** The number of the call that fails, from now on, beginning at 1. */
  readonly number: number;
  /** Whether those after it fail too. */
  readonly goesOn: boolean;
}

/** A disk of the test's own under one store. */
export interface CrashDisk {
  /** Environment of a server that runs on this disk; the trace begins anew. */
  mount(): Readonly<Record<string, string>>;
  /** From now on the disk behaves like this. */
  set(fault: Fault): void;
  /** From now on this call fails; undefined: none. */
  failCall(fault: CountedFault | undefined): void;
  /** How many calls failed since `failCall`. */
  failedCalls(): number;
  /** The server is gone, and so is the power: leaves in the folder what a disk would have kept. */
  losePower(random: Random): void;
  /** Where everything is that led to the state of the folder. */
  readonly evidence: string;
  remove(): void;
}

/** disk.c's `struct counted`. */
const CONTROL_BYTES = 64;

interface DiskOptions {
  /** SQLite's setting, where it is not to be the product's own. */
  readonly synchronous?: "NORMAL";
}

export function createCrashDisk({ dataDir }: Store, { synchronous }: DiskOptions = {}): CrashDisk {
  const evidence = mkdtempSync(join(tmpdir(), "petstore-disk-"));
  const trace = join(evidence, "trace");
  const control = join(evidence, "control");
  let before: Disk = new Map();
  writeFileSync(control, new Uint8Array(CONTROL_BYTES));
  /** In place: the server looks at the file through a mapping. */
  function write(bytes: Uint8Array, offset: number): void {
    const descriptor = openSync(control, "r+");
    writeSync(descriptor, bytes, 0, bytes.length, offset);
    closeSync(descriptor);
  }
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
      write(new Uint8Array([FAULTS[fault]]), 0);
    },
    failCall(fault) {
      write(new Uint8Array(1), 1);
      if (fault === undefined) return;
      const bytes = Buffer.alloc(CONTROL_BYTES - 2);
      bytes.writeUInt8(Number(fault.goesOn), 0);
      bytes.writeUInt32LE(fault.number, 2);
      bytes.write(fault.file, 10);
      write(bytes, 2);
      write(new Uint8Array([COUNTED_CALLS[fault.call]]), 1);
    },
    failedCalls: () => readFileSync(control).readUInt32LE(8),
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
