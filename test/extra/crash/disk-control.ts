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

/** The faults that a disk can have, with the numbers that disk.c uses for them. */
export const FAULTS = {
  none: 0,
  full: 1,
  syncFails: 2,
  writeFails: 8,
  checkpointFails: 16,
} as const;
export type Fault = keyof typeof FAULTS;

/** The kinds of file calls that can be counted, with the numbers that disk.c uses for them. */
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

/** The number that disk.c uses for "any call that changes something". A signal can be sent at such a call. */
const ANY_CALL = 8;

/** The errors that a call can fail with, and their numbers on Linux. */
export const ERRORS = { EIO: 5, ENOSPC: 28 } as const;
const SIGNALS = { SIGINT: 2, SIGKILL: 9, SIGTERM: 15 } as const;

export interface CountedFault {
  readonly call: keyof typeof COUNTED_CALLS;
  /** Only calls on files whose names begin with this prefix are counted. */
  readonly file: string;
  /** The number of the call that fails, counted from 1 since `failCall`. */
  readonly number: number;
  /** True if all later calls also fail. */
  readonly goesOn: boolean;
  /** The error code that the call fails with. The default is EIO. */
  readonly error?: keyof typeof ERRORS;
}

/** Controls a simulated disk through a file, which the watched process maps into memory. */
export interface DiskControl {
  /** Makes the disk behave with this fault from now on. */
  set(fault: Fault): void;
  /** Makes this call fail. If undefined is given, no more calls fail. */
  failCall(fault: CountedFault | undefined): void;
  /** Sends the process a signal at its n-th call that changes something. */
  signalAt(number: number, signal: keyof typeof SIGNALS): void;
  /** The number of calls that have failed or have caused a signal since `failCall` or `signalAt`. */
  failedCalls(): number;
}

/** A simulated disk under one store. */
export interface CrashDisk extends DiskControl {
  /** The environment variables for a server that runs on this disk. Each call of `mount` starts a new trace. */
  mount(): Readonly<Record<string, string>>;
  /** Simulates a power loss after the server has ended. The folder then contains only what a real disk would have kept. */
  losePower(random: Random): void;
  /** The folder that contains the trace and the control file. */
  readonly evidence: string;
  remove(): void;
}

/** The size of `struct counted` in disk.c. */
const CONTROL_BYTES = 64;

interface DiskOptions {
  /** The value that replaces the program's own setting of PRAGMA synchronous. */
  readonly synchronous?: "NORMAL";
}

/** Controls the simulated disk that has this control file. */
export function controlDisk(control: string): DiskControl {
  /** Overwrites the bytes in place, because the watched process maps the file into memory. */
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
