import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { petstore } from "../../wire/process.ts";
import { makeKey } from "../../wire/server.ts";
import { freshEmbeddedStore, type Store } from "../../wire/stores.ts";
import { type CountedFault, type CrashDisk, createCrashDisk } from "./disk-control.ts";

// Some network file systems do not support locks, or do not support memory that processes share. These tests simulate both.

let store: Store;
let disk: CrashDisk;
beforeEach(async () => {
  store = await freshEmbeddedStore();
  await makeKey(store);
  disk = createCrashDisk(store);
});
afterEach(() => disk.remove());

const LACKS: readonly (readonly [call: CountedFault["call"], what: string])[] = [
  ["fcntl", "cannot lock files"],
  ["mmap", "cannot share memory between processes (mmap)"],
];

test.each(LACKS)(
  "without %s doctor and every command say that it %s, and leave nothing behind",
  async (call, what) => {
    const env = disk.mount();
    const run = (...args: readonly string[]) => petstore(store, args, { env });
    disk.failCall({ call, file: "", number: 1, goesOn: true });
    const before = readdirSync(store.dataDir);
    const doctor = await run("doctor", "--deep");
    expect(doctor.code).toBe(1);
    const failed = doctor.out.split("\n").filter((line) => line.startsWith("fail"));
    expect(failed).toEqual([
      `fail  file system: ${store.dataDir} is on a file system that ${what}. Use a folder on a local disk (--data-dir), or a database server (--database-url).`,
    ]);
    expect(readdirSync(store.dataDir)).toEqual(before);
    const sentence = `the file system of ${store.dataDir} ${what}; use a local disk, or a store in PostgreSQL (PETSTORE_DATABASE_URL).\n`;
    const accounts = `petstore: ${store.dataDir}/accounts.sqlite cannot be used: ${sentence}`;
    expect(await run("keys", "list")).toEqual({ code: 1, out: "", err: accounts });
    // Without file locks, the service first logs a warning that nothing prevents a second process from serving the same folder.
    expect(await run("serve")).toMatchObject({ code: 1, err: accounts });
    expect(await run("backup", `${disk.evidence}/one.backup`)).toEqual({
      code: 1,
      out: "",
      err: `petstore: The backup of ${store.dataDir} failed: ${sentence}`,
    });
  },
);

test("a database that another program has locked is not blamed on the file system", async () => {
  const file = `${store.dataDir}/accounts.sqlite`;
  const other = new Database(file);
  other.run("PRAGMA locking_mode = EXCLUSIVE");
  other.run("BEGIN EXCLUSIVE");
  const outcome = await petstore(store, ["keys", "list"]);
  other.close();
  const reason =
    "another program has locked the file; end that program (the command fuser names the program), and try again";
  expect(outcome).toEqual({ code: 1, out: "", err: `petstore: ${file} cannot be used: ${reason}.\n` });
});
