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

/** Faults of a disk, with the numbers that disk.c uses. */
export const FAULTS = {
  none: 0,
  full: 1,
  syncFails: 2,
  writeFails: 8,
  checkpointFails: 16,
} as const;
export type Fault = keyof typeof FAULTS;

/** The calls that can be counted, with the numbers that disk.c uses. */
export const COUNTED_CALLS = {
  pread: 1,
  open: 2,
  fcntl: 3,
  pwrite: 4,
  fsync: 5,
  ftruncate: 6,
  unlink: 7,
  rename: 9,
  mmap: 10,
} as const;

/** Number that disk.c uses for a signal at any call that changes something. */
const ANY_CALL = 8;

/** Errors of a failing call, with their numbers on Linux. */
export const ERRORS = { EIO: 5, ENOSPC: 28 } as const;
const SIGNALS = { SIGINT: 2, SIGKILL: 9, SIGTERM: 15 } as const;

export interface CountedFault {
  readonly call: keyof typeof COUNTED_CALLS;
  /** Prefix of the file names whose calls are counted. */
  readonly file: string;
  /** Number of the failing call, counted from 1 since `failCall`. */
  readonly number: number;
  /** True if all later calls fail as well. */
  readonly goesOn: boolean;
  /** Error of the call; EIO if left out. */
  readonly error?: keyof typeof ERRORS;
}

/** The control file of a simulated disk, which the watched process maps into memory. */
export interface DiskControl {
  /** Switches the disk to this fault. */
  set(fault: Fault): void;
  /** Makes this call fail; with undefined, no call fails any more. */
  failCall(fault: CountedFault | undefined): void;
  /** Sends the process a signal at its n-th call that changes something. */
  signalAt(number: number, signal: keyof typeof SIGNALS): void;
  /** Number of failed calls or signals since `failCall` or `signalAt`. */
  failedCalls(): number;
}

/** A simulated disk under one store. */
export interface CrashDisk extends DiskControl {
  /** Environment of a server that runs on this disk. Each call restarts the trace. */
  mount(): Readonly<Record<string, string>>;
  /** Simulates a power loss after the server has ended: the folder keeps only what a real disk would have kept. */
  losePower(random: Random): void;
  /** Folder with the trace and the control file. */
  readonly evidence: string;
  remove(): void;
}

/** Size of `struct counted` in disk.c. */
const CONTROL_BYTES = 64;

interface DiskOptions {
  /** Value that replaces the program's own setting of SQLite. */
  readonly synchronous?: "NORMAL";
}

/** Controls a simulated disk through the path of its control file. */
export function controlDisk(control: string): DiskControl {
  /** Writes in place, because the watched process maps the file into memory. */
  function write(bytes: Uint8Array, offset: number): void {
    const descriptor = openSync(control, "r+");
    writeSync(descriptor, bytes, 0, bytes.length, offset);
    closeSync(descriptor);
  }
  function begin(call: number, { number, file, goesOn }: Omit<CountedFault, "call" | "error">, code: number) {
    write(new Uint8Array(1), 1);
    const bytes = Buffer.alloc(CONTROL_BYTES - 2);
    bytes.writeUInt8(Number(goesOn), 0);
    bytes.writeUInt8(code, 1);
    bytes.writeUInt32LE(number, 2);
    bytes.write(file, 10);
    write(bytes, 2);
    write(new Uint8Array([call]), 1);
  }
  return {
    set(fault) {
      write(new Uint8Array([FAULTS[fault]]), 0);
    },
    failCall(fault) {
      if (fault === undefined) write(new Uint8Array(1), 1);
      else begin(COUNTED_CALLS[fault.call], fault, ERRORS[fault.error ?? "EIO"]);
    },
    signalAt(number, signal) {
      begin(ANY_CALL, { file: "", number, goesOn: false }, SIGNALS[signal]);
    },
    failedCalls: () => readFileSync(control).readUInt32LE(8),
  };
}

export function createCrashDisk({ dataDir }: Store, { synchronous }: DiskOptions = {}): CrashDisk {
  const evidence = mkdtempSync(join(tmpdir(), "petstore-disk-"));
  const trace = join(evidence, "trace");
  const control = join(evidence, "control");
  let before: Disk = new Map();
  writeFileSync(control, new Uint8Array(CONTROL_BYTES));
  return {
    ...controlDisk(control),
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
    losePower(random) {
      writeFolder(dataDir, diskAfterPowerLoss(before, readFileSync(trace), random));
    },
    remove: () => rmSync(evidence, { recursive: true, force: true }),
  };
}

/** Reads all files except WAL indexes, which SQLite rebuilds. */
export function readFolder(folder: string): Disk {
  const names = readdirSync(folder).filter((name) => !name.endsWith("-shm"));
  return new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
}

export function writeFolder(folder: string, disk: Disk): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  for (const [name, bytes] of disk) writeFileSync(join(folder, name), bytes);
}
