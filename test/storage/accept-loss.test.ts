import { describe, expect, test } from "bun:test";
import { cpSync, existsSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ID_GAP } from "../../src/limits.ts";
import { acceptStoreLoss, openDatabase } from "../../src/storage/open.ts";
import { numberColumn } from "../../src/storage/row.ts";
import { statement } from "../../src/storage/statement.ts";
import { addPets, copyOf, freshDir, removeDatabase } from "./used-store.ts";

// `petstore doctor --accept-loss` makes a store usable again after its files have lost data. After that, no identifier may be
// assigned a second time.

/** Returns the files that a killed process has left behind, and the identifiers that it had assigned. */
async function killedStore() {
  const dataDir = freshDir();
  let killed = "";
  await addPets(dataDir, 3);
  const given = await addPets(dataDir, 3, () => {
    killed = copyOf(dataDir);
  });
  return { killed, given };
}

async function accountIds(dataDir: string): Promise<number[]> {
  const database = await openDatabase("accounts", { dataDir });
  const ids = await database.read(
    { sql: "SELECT id FROM account ORDER BY id", decode: numberColumn("id") },
    [],
  );
  await database.close();
  return [...ids];
}

describe("a lost file of a store", () => {
  test("that was closed lets identifiers continue right above the last one", async () => {
    const dataDir = freshDir();
    const given = await addPets(dataDir, 5);
    removeDatabase(dataDir, "production");
    const losses = await acceptStoreLoss({ dataDir });
    expect(losses.map(({ loss }) => loss)).toEqual([
      expect.stringMatching(
        /production\.sqlite is missing\. Gone: every animal, category and order of production/,
      ),
    ]);
    expect(await addPets(dataDir, 2)).toEqual([Math.max(...given) + 1, Math.max(...given) + 2]);
    expect(await acceptStoreLoss({ dataDir })).toEqual([]);
  });

  test("whose process was killed makes identifiers continue a billion higher, and after another loss higher again", async () => {
    const { killed, given } = await killedStore();
    truncateSync(join(killed, "production.sqlite"), 0);
    await acceptStoreLoss({ dataDir: killed });
    const [first = 0] = await addPets(killed, 1);
    expect(first).toBeGreaterThan(Math.max(...given));
    expect(first).toBeLessThanOrEqual(Math.max(...given) + ID_GAP + 1);
    expect(first).toBeGreaterThan(ID_GAP);
    removeDatabase(killed, "production");
    await acceptStoreLoss({ dataDir: killed });
    expect(await addPets(killed, 1)).toEqual([first + 1]);
  });

  test("makes identifiers continue a billion higher if every log of a killed process is lost", async () => {
    const { killed, given } = await killedStore();
    for (const name of readdirSync(killed)) if (name.endsWith("-wal")) rmSync(join(killed, name));
    expect((await acceptStoreLoss({ dataDir: killed })).map(({ name }) => name)).toContain("production");
    const [first = 0] = await addPets(killed, 1);
    expect(first).toBeGreaterThan(Math.max(...given));
    expect(first).toBeGreaterThan(ID_GAP);
  });

  test("that was closed while animals were being added lets identifiers continue right above the last of them", async () => {
    const dataDir = freshDir();
    await addPets(dataDir, 1);
    const database = await openDatabase("production", { dataDir });
    const given: number[] = [];
    const insert = statement("INSERT INTO pet (name, category_id) VALUES ('x', 1) RETURNING id", (row) =>
      given.push(numberColumn("id")(row)),
    );
    const add = (): Promise<void> =>
      database.run(insert, []).then(
        () => void add(),
        () => {},
      );
    const adding = Array.from({ length: 50 }, add);
    await adding[0];
    await database.close();
    removeDatabase(dataDir, "production");
    await acceptStoreLoss({ dataDir });
    expect(given.length).toBeGreaterThan(50);
    expect(await addPets(dataDir, 1)).toEqual([Math.max(...given) + 1]);
  });

  test("is moved aside, not deleted, when it is something else", async () => {
    const dataDir = freshDir();
    await addPets(dataDir, 1);
    const notes = join(dataDir, "staging.sqlite");
    writeFileSync(notes, "These are my notes.");
    const [loss] = await acceptStoreLoss({ dataDir });
    expect(readdirSync(loss?.keptIn ?? "")).toEqual(["staging.sqlite"]);
    expect(await Bun.file(join(loss?.keptIn ?? "", "staging.sqlite")).text()).toBe("These are my notes.");
    await addPets(dataDir, 1);
  });
});

describe("a file of a store that is older than it was", () => {
  test("is used, and new identifiers are above those assigned since", async () => {
    const dataDir = freshDir();
    await addPets(dataDir, 2);
    const early = copyOf(dataDir);
    const given = await addPets(dataDir, 5);
    cpSync(join(early, "production.sqlite"), join(dataDir, "production.sqlite"));
    const [loss] = await acceptStoreLoss({ dataDir });
    expect(loss?.loss).toContain("Gone: every change to production that is newer than this file.");
    expect(existsSync(loss?.keptIn ?? "")).toBeFalse();
    expect(await addPets(dataDir, 1)).toEqual([Math.max(...given) + 1]);
  });
});

describe("lost accounts", () => {
  test("are created again, and identifiers that can no longer be known continue a billion higher", async () => {
    const dataDir = freshDir();
    const given = await addPets(dataDir, 2);
    const accounts = await accountIds(dataDir);
    removeDatabase(dataDir, "accounts");
    removeDatabase(dataDir, "staging");
    const [loss, ...others] = await acceptStoreLoss({ dataDir });
    expect(loss?.loss).toContain("Gone: every account, API key and session");
    expect(others).toEqual([]);
    const [next = 0] = await addPets(dataDir, 1);
    expect(next).toBe(Math.max(...given) + ID_GAP + 1);
    expect(Math.min(...(await accountIds(dataDir)))).toBeGreaterThan(Math.max(...accounts) + ID_GAP - 2);
    const staging = await openDatabase("staging", { dataDir });
    expect(await staging.wholeTables.nextId("store_order")).toBe(BigInt(ID_GAP + 1));
    await staging.close();
  });

  test("that were restored from a copy give new accounts higher identifiers than those created since", async () => {
    const dataDir = freshDir();
    await addPets(dataDir, 2);
    const early = copyOf(dataDir);
    const given = await addPets(dataDir, 2);
    cpSync(join(early, "accounts.sqlite"), join(dataDir, "accounts.sqlite"));
    const losses = await acceptStoreLoss({ dataDir });
    expect(losses[0]?.loss).toContain("API keys that were revoked since then may be valid again");
    expect((await addPets(dataDir, 1))[0]).toBeGreaterThan(Math.max(...given));
    const accounts = await openDatabase("accounts", { dataDir });
    expect(await accounts.wholeTables.nextId("account")).toBeGreaterThan(BigInt(ID_GAP));
    await accounts.close();
  });
});

describe("a log that is not the file's own", () => {
  test("is moved aside, and the identifiers that the file assigned last are skipped", async () => {
    const dataDir = freshDir();
    const { killed } = await killedStore();
    const given = await addPets(dataDir, 3);
    cpSync(join(killed, "production.sqlite-wal"), join(dataDir, "production.sqlite-wal"));
    const [loss] = await acceptStoreLoss({ dataDir });
    expect(readdirSync(loss?.keptIn ?? "")).toEqual(["production.sqlite-wal"]);
    expect(await addPets(dataDir, 1)).toEqual([Math.max(...given) + 1]);
  });
});
