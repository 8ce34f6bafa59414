// Intercepts the file operations of SQLite (see disk.c) in a server that preloads this module: `bun --preload
// test/extra/crash/disk.ts src/main.ts serve`. The PETSTORE_CRASH_* variables name the watched folder, the trace file, and the
// control file that turns faults on.

import { cc, ptr } from "bun:ffi";
import { Database } from "bun:sqlite";
import { openSync } from "node:fs";
import { relocationsOf } from "./elf.ts";

if (process.platform !== "linux" || process.arch !== "x64") {
  throw new Error(
    "The crash tests intercept system calls of x86-64 Linux; other platforms are not supported.",
  );
}

/** The functions must be in the order of `replacement` in disk.c. */
const CALLS: readonly (readonly string[])[] = [
  ["open", "open64"],
  ["close"],
  ["pwrite64", "pwrite"],
  ["ftruncate64", "ftruncate"],
  ["fsync"],
  ["fdatasync"],
  ["unlink"],
  ["pread64", "pread"],
  ["SQLite's fcntl"],
  ["rename"],
  ["renameat"],
  ["mkdir"],
  ["mkdirat"],
  ["rmdir"],
  ["unlinkat"],
  ["SQLite's mmap"],
];

const { symbols } = cc({
  source: Bun.fileURLToPath(new URL("disk.c", import.meta.url)),
  symbols: {
    begin: { args: ["ptr", "i32", "ptr"], returns: "void" },
    redirect: { args: ["u64", "i32"], returns: "i32" },
    slot_near: { args: ["u64", "ptr"], returns: "u64" },
  },
});

const folder = Buffer.from(`${setting("FOLDER")}\0`);
// The memory is shared with the controlling process, so that this process sees each of its changes at once.
const control = Bun.mmap(setting("CONTROL"), { shared: true });
const traced = process.env["PETSTORE_CRASH_TRACE"];
symbols.begin(ptr(folder), traced === undefined ? -1 : openSync(traced, "a"), ptr(control));
const imports = new Map(relocationsOf("/proc/self/exe"));
const [pread = 0] = imports.get("pread64") ?? [];
for (const name of ["fcntl", "mmap"])
  imports.set(`SQLite's ${name}`, [Number(symbols.slot_near(pread, ptr(Buffer.from(`${name}\0`))))]);
for (const [call, names] of CALLS.entries()) {
  const slots = names.flatMap((name) => imports.get(name) ?? []);
  if (slots.length === 0)
    throw new Error(`This Bun does not import ${names.join(" or ")}: it cannot be stood in for.`);
  for (const slot of slots)
    if (slot === 0 || symbols.redirect(slot, call) !== 0)
      throw new Error(`${names[0]} could not be redirected.`);
}

const mode = process.env["PETSTORE_CRASH_SYNCHRONOUS"];
if (mode !== undefined) {
  // A control experiment: the same program without the setting that makes commits durable must lose data. Otherwise, the test would
  // not detect a loss.
  const { run } = Database.prototype;
  Database.prototype.run = function (sql, ...values) {
    return run.call(this, sql.replace("synchronous = FULL", `synchronous = ${mode}`), ...values);
  };
}

// Keeps the objects from being garbage-collected.
Object.assign(globalThis, { crashTestDisk: { symbols, folder, control } });

function setting(name: string): string {
  const value = process.env[`PETSTORE_CRASH_${name}`];
  if (value === undefined) throw new Error(`PETSTORE_CRASH_${name} is not set.`);
  return value;
}
