import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { examineStore } from "../../src/storage/identity/examine.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { DATABASE_NAMES, fileOf } from "../../src/storage/store-files.ts";
import { createTestApp } from "../test-app.ts";
import { addPets, copyOf, freshDir, openingOf } from "./used-store.ts";

// When a file of a store is first written to or is closed properly, petstore records this in three commits: in the file, in a list
// in the accounts database, and in the file again. If the process crashes between them, the next start still accepts the store. It
// refuses a list or a file from a different time.

/** Copies a store. In the copy, replaces the accounts database and its log with those of another copy. */
function putAccountsBack(dataDir: string, from: string): string {
  const mixed = copyOf(dataDir);
  for (const end of ["", "-wal", "-shm"]) {
    const name = `accounts.sqlite${end}`;
    rmSync(join(mixed, name), { force: true });
    if (existsSync(join(from, name))) cpSync(join(from, name), join(mixed, name));
  }
  return mixed;
}

/**
 * Copies a store as if the process had crashed before the last of the three commits that record a write. After one commit, only
 * production's database file records the write. After two commits, the list in the accounts database records it as well.
 */
function cutOff(dataDir: string, commits: number): string {
  const [production, accounts] = (["production", "accounts"] as const).map(
    (name) => new Database(fileOf(name, dataDir)),
  );
  const { user_version: generation = 0 } =
    production?.query<{ user_version: number }, []>("PRAGMA user_version").get() ?? {};
  production?.run(`PRAGMA user_version = ${generation + 1}`);
  if (commits === 2)
    accounts?.run("UPDATE store_file SET generation = ? WHERE name = 'production'", [generation + 2]);
  const copy = copyOf(dataDir);
  for (const database of [production, accounts]) database?.close();
  return copy;
}

async function usedStore(): Promise<string> {
  const dataDir = freshDir();
  await addPets(dataDir, 2);
  return dataDir;
}

for (const commits of [1, 2]) {
  describe(`a process that died after ${commits} of the three commits`, () => {
    test("of its first write leaves a store that is served, repeatedly", async () => {
      const cut = cutOff(await usedStore(), commits);
      expect([await openingOf(cut), await openingOf(cut)]).toEqual(["served", "served"]);
    });

    test("of its end, or after another death, leaves a store that is served", async () => {
      let killed = "";
      const dataDir = await usedStore();
      await addPets(dataDir, 2, () => {
        killed = copyOf(dataDir);
      });
      const cut = cutOff(killed, commits);
      expect([await openingOf(cut), await openingOf(cut)]).toEqual(["served", "served"]);
    });

    test("twice in a row leaves a store that is served", async () => {
      const cut = cutOff(await usedStore(), commits);
      const database = await openDatabase("production", { dataDir: cut });
      await database.write(() => true);
      const again = cutOff(copyOf(cut), commits);
      await database.close();
      expect(await openingOf(again)).toBe("served");
    });
  });
}

describe("a store in use", () => {
  test("that is only read stays as it is", async () => {
    const dataDir = await usedStore();
    const bytes = () => DATABASE_NAMES.map((name) => Bun.hash(readFileSync(fileOf(name, dataDir))));
    const before = bytes();
    for (const name of DATABASE_NAMES) {
      const database = await openDatabase(name, { dataDir });
      await database.check();
      await database.close();
    }
    expect(bytes()).toEqual(before);
  });

  test("is intact after its process was really killed at any moment", async () => {
    const dataDir = await usedStore();
    const script = `
      import { openDatabase } from "${join(import.meta.dir, "../../src/storage/open.ts")}";
      for (;;) {
        for (const name of ${JSON.stringify(DATABASE_NAMES)}) {
          const database = await openDatabase(name, { dataDir: process.argv[1] });
          await database.write(() => true);
          await database.close();
        }
        console.log("opened");
      }`;
    for (let round = 0; round < 12; round++) {
      const child = Bun.spawn([process.execPath, "-e", script, dataDir], {
        stdout: "pipe",
        stderr: "inherit",
      });
      // The child process has now opened and closed every database once, and is doing so again.
      await child.stdout.getReader().read();
      await Bun.sleep(round * 3);
      child.kill("SIGKILL");
      await child.exited;
      expect((await examineStore(dataDir)).flatMap(({ fault }) => fault ?? [])).toEqual([]);
    }
    expect(await openingOf(dataDir)).toBe("served");
  });
});

describe("accounts restored from a copy", () => {
  test("that were copied since the last start are refused after a proper end", async () => {
    const dataDir = await usedStore();
    let running = "";
    await addPets(dataDir, 1, () => {
      running = copyOf(dataDir);
    });
    expect(await openingOf(putAccountsBack(dataDir, running))).toMatch(
      /newer than \S+, which was probably replaced/,
    );
  });

  test("that were copied before the last start are refused after a kill if identifiers were assigned since", async () => {
    const dataDir = await usedStore();
    const before = copyOf(dataDir);
    let killed = "";
    await addPets(dataDir, 1, () => {
      killed = copyOf(dataDir);
    });
    expect(await openingOf(putAccountsBack(killed, before))).toMatch(
      /newer than \S+, which was probably replaced/,
    );
  });
});

test("a file from before the last start is refused, even if nothing was written to it since", async () => {
  const dataDir = await usedStore();
  const before = copyOf(dataDir);
  const app = await createTestApp({}, { dataDir });
  await app.close();
  for (const name of DATABASE_NAMES.slice(1)) {
    const mixed = copyOf(dataDir);
    cpSync(fileOf(name, before), fileOf(name, mixed));
    expect(await openingOf(mixed)).toContain("is older than the version");
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
