import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { cpSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ID_GAP } from "../../src/limits.ts";
import { backUpStore } from "../../src/storage/backup/backup.ts";
import { restoreStore } from "../../src/storage/backup/restore.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { textColumn } from "../../src/storage/row.ts";
import { statement } from "../../src/storage/statement.ts";
import { createTestApp } from "../test-app.ts";
import { addPets, freshDir, removeDatabase } from "./used-store.ts";

// After a restore, no identifier may be assigned a second time, whatever has happened to the files that the backup replaces.

const onProgress = () => {};
async function backUp(dataDir: string): Promise<string> {
  const file = join(freshDir(), "backup");
  await backUpStore({ dataDir, file, origin: { program: "test", startedAt: 0 }, onProgress });
  return file;
}
async function restored(file: string): Promise<string> {
  const dataDir = freshDir();
  await restoreStore({ dataDir, file, onProgress });
  return dataDir;
}

/** Creates a store, makes a backup, and continues to use the store. Then closes the store or kills its process. */
async function usedOn(end: "closed" | "killed") {
  const dataDir = freshDir();
  await addPets(dataDir, 3);
  const file = await backUp(dataDir);
  await addPets(dataDir, 4);
  const killed = freshDir();
  const given = await addPets(dataDir, 2, () => cpSync(dataDir, killed, { recursive: true }));
  return { dataDir: end === "closed" ? dataDir : killed, file, last: Math.max(...given) };
}

describe("the first animal after a restore", () => {
  for (const lastIds of ['{"pet":999999999999999}', '{"__proto__":1,"constructor":5}']) {
    test(`is above the identifiers in ${lastIds}, and above those of the backup`, async () => {
      const dataDir = freshDir();
      await addPets(dataDir, 3);
      const accounts = new Database(join(dataDir, "accounts.sqlite"));
      accounts.run("UPDATE store_file SET last_ids = ?", [lastIds]);
      accounts.close();
      const [first = 0] = await addPets(await restored(await backUp(dataDir)), 1);
      expect(first).toBeGreaterThan(ID_GAP);
      if (lastIds.includes("pet")) expect(first).toBeGreaterThan(999_999_999_999_999);
    });
  }

  test("in place of closed files has the identifier after their last one", async () => {
    const { dataDir, file, last } = await usedOn("closed");
    await restoreStore({ dataDir, file, isReplacing: true, onProgress });
    expect(await addPets(dataDir, 2)).toEqual([last + 1, last + 2]);
    expect(readdirSync(dataDir).filter((name) => name.startsWith("replaced-"))).toHaveLength(1);
  });

  test("in place of a killed process's files is a billion higher, and no identifier is assigned again", async () => {
    const { dataDir, file, last } = await usedOn("killed");
    await restoreStore({ dataDir, file, isReplacing: true, onProgress });
    expect(await addPets(dataDir, 1)).toEqual([last + ID_GAP + 1]);
  });

  test("where production is missing is directly above the identifiers that the accounts database knows", async () => {
    const { dataDir, file, last } = await usedOn("closed");
    removeDatabase(dataDir, "production");
    await restoreStore({ dataDir, file, isReplacing: true, onProgress });
    expect(await addPets(dataDir, 1)).toEqual([last + 1]);
  });

  test("where the accounts database is missing or replaced is a billion above production's identifiers", async () => {
    const { dataDir, file, last } = await usedOn("closed");
    writeFileSync(join(dataDir, "accounts.sqlite"), "These are my notes.");
    await restoreStore({ dataDir, file, isReplacing: true, onProgress });
    expect(await addPets(dataDir, 1)).toEqual([last + ID_GAP + 1]);
    const accounts = await openDatabase("accounts", { dataDir });
    expect(await accounts.wholeTables.nextId("account")).toBeGreaterThan(BigInt(ID_GAP));
    await accounts.close();
  });

  test("where everything is missing is a billion above the backup's identifiers, and so is the first order", async () => {
    const { file } = await usedOn("closed");
    const dataDir = await restored(file);
    expect(await addPets(dataDir, 1)).toEqual([3 + ID_GAP + 1]);
    const production = await openDatabase("production", { dataDir });
    expect(await production.wholeTables.nextId("store_order")).toBe(BigInt(ID_GAP + 1));
    // In the backup, the counter for category numbers is at 2, because an animal is in category 1.
    const counter = statement("SELECT value FROM setting WHERE name = 'last category'", textColumn("value"));
    expect(await production.read(counter, [])).toEqual([String(2 + ID_GAP + 1)]);
    await production.close();
  });
});

test("a file from before a restore is refused afterwards", async () => {
  const { dataDir, file } = await usedOn("closed");
  await restoreStore({ dataDir, file, isReplacing: true, onProgress });
  await addPets(dataDir, 1);
  const [aside = ""] = readdirSync(dataDir).filter((name) => name.startsWith("replaced-"));
  cpSync(join(dataDir, aside, "production.sqlite"), join(dataDir, "production.sqlite"));
  await expect(createTestApp({}, { dataDir })).rejects.toThrow(/is older than the version|newer than/);
});
