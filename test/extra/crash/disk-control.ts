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

/** The faults that the simulated disk can have. The numbers are those in disk.c. */
export const FAULTS = {
  none: 0,
  full: 1,
  syncFails: 2,
  writeFails: 8,
  checkpointFails: 16,
} as const;
export type Fault = keyof typeof FAULTS;

/** The kinds of file operations that the simulated disk counts. The numbers are those in disk.c. */
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

/**
 * The number that disk.c uses for any operation that changes a file or folder. At such an operation, the disk can send a signal to
 * the process.
 */
const ANY_CALL = 8;

/** The error codes of failing file operations, with their numbers on Linux. */
export const ERRORS = { EIO: 5, ENOSPC: 28 } as const;
const SIGNALS = { SIGINT: 2, SIGKILL: 9, SIGTERM: 15 } as const;

export interface CountedFault {
  readonly call: keyof typeof COUNTED_CALLS;
  /** Only operations on files whose names begin with this prefix are counted. */
  readonly file: string;
  /** The number of the file operation that fails, counted from 1 since `failCall` was called. */
  readonly number: number;
  /** True if all later operations fail as well. */
  readonly goesOn: boolean;
  /** The error code of the failing file operation. The default is EIO. */
  readonly error?: keyof typeof ERRORS;
}

/** Controls a simulated disk through a file that the tested process maps into memory. */
export interface DiskControl {
  /** Gives the simulated disk a fault, such as a failing sync, from now on. */
  set(fault: Fault): void;
  /** Makes a file operation fail. With undefined, no more operations fail. */
  failCall(fault: CountedFault | undefined): void;
  /** Sends the tested process a signal at its n-th operation that changes a file or folder. */
  signalAt(number: number, signal: keyof typeof SIGNALS): void;
  /** The number of file operations that have failed, or have caused a signal, since `failCall` or `signalAt` was called. */
  failedCalls(): number;
}

/** A simulated disk that contains one store. */
export interface CrashDisk extends DiskControl {
  /**
   * Returns the environment variables for a server whose data is on the simulated disk. Each call starts a new trace of the disk's
   * writes.
   */
  mount(): Readonly<Record<string, string>>;
  /** Simulates a power loss after the server has ended. The folder then contains only what a real disk would have kept. */
  losePower(random: Random): void;
  /** The folder with the trace of the simulated disk and its control file. */
  readonly evidence: string;
  remove(): void;
}

/** The size of `struct counted` in disk.c. */
const CONTROL_BYTES = 64;

interface DiskOptions {
  /** A value for PRAGMA synchronous that replaces the one that the server sets. */
  readonly synchronous?: "NORMAL";
}

export function controlDisk(control: string): DiskControl {
  /** Overwrites bytes of the file in place, because the tested process has mapped the file into memory. */
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

/** Reads all files of a folder except SQLite's WAL indexes, which SQLite rebuilds. */
export function readFolder(folder: string): Disk {
  const names = readdirSync(folder).filter((name) => !name.endsWith("-shm"));
  return new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
}

export function writeFolder(folder: string, disk: Disk): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  for (const [name, bytes] of disk) writeFileSync(join(folder, name), bytes);
}
