import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { cpSync, existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { examineStore } from "../../src/storage/identity/examine.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { DATABASE_NAMES, fileOf } from "../../src/storage/store-files.ts";
import { createTestApp } from "../test-app.ts";
import { addPets, copyOf, freshDir, openingOf } from "./used-store.ts";

// Each start and each end raises a number in the file, and then in the accounts' list. After a crash in between, the next
// start serves the store; a list or a file from another time is refused.

/** Copies a store, replacing its accounts and their log by those of another copy. */
function putAccountsBack(dataDir: string, from: string): string {
  const mixed = copyOf(dataDir);
  for (const end of ["", "-wal", "-shm"]) {
    const name = `accounts.sqlite${end}`;
    rmSync(join(mixed, name), { force: true });
    if (existsSync(join(from, name))) cpSync(join(from, name), join(mixed, name));
  }
  return mixed;
}

/** Copies the folder after production's number was raised, and before the list's. */
function raisedInFileAlone(dataDir: string): string {
  const production = new Database(fileOf("production", dataDir));
  const { user_version: number } = production
    .query<{ user_version: number }, []>("PRAGMA user_version")
    .get() ?? {
    user_version: 0,
  };
  production.run(`PRAGMA user_version = ${number + 1}`);
  const copy = copyOf(dataDir);
  production.close();
  return copy;
}

async function usedStore(): Promise<string> {
  const dataDir = freshDir();
  await addPets(dataDir, 2);
  return dataDir;
}

describe("a process that died between the two numbers", () => {
  test("at a start leaves a store that is served, and found in order again and again", async () => {
    const cut = raisedInFileAlone(await usedStore());
    expect([await openingOf(cut), await openingOf(cut)]).toEqual(["served", "served"]);
  });

  test("at its end, or at the start after another death, leaves a store that is served", async () => {
    let killed = "";
    const dataDir = await usedStore();
    await addPets(dataDir, 2, () => {
      killed = copyOf(dataDir);
    });
    const cut = raisedInFileAlone(killed);
    expect([await openingOf(cut), await openingOf(cut)]).toEqual(["served", "served"]);
  });

  test("twice in a row leaves a store that is served", async () => {
    const cut = raisedInFileAlone(await usedStore());
    const database = await openDatabase("production", { dataDir: cut });
    const again = raisedInFileAlone(copyOf(cut));
    await database.close();
    expect(await openingOf(again)).toBe("served");
  });

  test("at any moment, killed for real, leaves a store in order", async () => {
    const dataDir = await usedStore();
    const script = `
      import { migrateAll } from "${join(import.meta.dir, "../../src/storage/open.ts")}";
      for (;;) await migrateAll({ dataDir: process.argv[1] }).then(() => console.log("opened"));`;
    for (let round = 0; round < 12; round++) {
      const child = Bun.spawn([process.execPath, "-e", script, dataDir], {
        stdout: "pipe",
        stderr: "inherit",
      });
      // The child has opened and closed every database once, and is in its second or third round.
      await child.stdout.getReader().read();
      await Bun.sleep(round * 3);
      child.kill("SIGKILL");
      await child.exited;
      expect((await examineStore(dataDir)).flatMap(({ fault }) => fault ?? [])).toEqual([]);
    }
    expect(await openingOf(dataDir)).toBe("served");
  });
});

describe("accounts put back from a copy", () => {
  test("of the time since the last start are refused after a proper end", async () => {
    const dataDir = await usedStore();
    let running = "";
    await addPets(dataDir, 1, () => {
      running = copyOf(dataDir);
    });
    expect(await openingOf(putAccountsBack(dataDir, running))).toMatch(/newer than \S+, which was put back/);
  });

  test("from before the last start are refused after a kill, where identifiers were given out since", async () => {
    const dataDir = await usedStore();
    const before = copyOf(dataDir);
    let killed = "";
    await addPets(dataDir, 1, () => {
      killed = copyOf(dataDir);
    });
    expect(await openingOf(putAccountsBack(killed, before))).toMatch(/newer than \S+, which was put back/);
  });
});

test("a file from before the last start is refused, also where nothing was written to it since", async () => {
  const dataDir = await usedStore();
  const before = copyOf(dataDir);
  const app = await createTestApp({}, { dataDir });
  await app.close();
  for (const name of DATABASE_NAMES.slice(1)) {
    const mixed = copyOf(dataDir);
    cpSync(fileOf(name, before), fileOf(name, mixed));
    expect(await openingOf(mixed)).toContain("is older than it was");
  }
  expect(readdirSync(dataDir).filter((file) => file.endsWith("-wal"))).toEqual([]);
});

test("a file that is no longer in place when its process ends is not recorded", async () => {
  const dataDir = await usedStore();
  const [file, accounts] = [fileOf("production", dataDir), new Database(fileOf("accounts", dataDir))];
  const listed = () => accounts.query("SELECT * FROM store_file WHERE name = 'production'").get();
  const database = await openDatabase("production", { dataDir });
  const atTheStart = listed();
  cpSync(file, `${file}.copy`);
  renameSync(`${file}.copy`, file);
  await database.close();
  expect(listed()).toEqual(atTheStart);
  accounts.close();
});
