import { Database } from "bun:sqlite";
import { afterEach, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../until.ts";
import { backupsIn, leftoversIn, restoredStore, settingsOf } from "./backups.ts";
import { petstore, type ServerProcess, startProcess } from "./process.ts";
import { send } from "./send.ts";
import { makeKey } from "./server.ts";
import { freshEmbeddedStore, type Store } from "./stores.ts";

// Tests the backups that the service makes on a schedule, and the command that makes one backup, for use with another scheduler.

let server: ServerProcess | undefined;
afterEach(async () => {
  await server?.kill();
  server = undefined;
});

/** Resolves to the name of the first scheduled backup, once the service has removed it in favour of newer ones. */
async function firstAndGone(folder: string): Promise<string> {
  await until(() => backupsIn(folder).length > 0);
  const [first = ""] = backupsIn(folder);
  await until(() => !backupsIn(folder).includes(first));
  return first;
}

async function storeWithFolder(): Promise<{ store: Store; folder: string }> {
  const store = await freshEmbeddedStore();
  return { store, folder: join(store.dataDir, "backups") };
}

async function metric(running: ServerProcess, name: string): Promise<number> {
  const { body } = await send("GET", running.metrics);
  const line = body.split("\n").find((one) => one.startsWith(`${name} `));
  return Number(line?.slice(name.length));
}

describe("PETSTORE_BACKUP_DIR", () => {
  test("makes backups that can be restored, keeps a limited number of them, and has their age in metrics", async () => {
    const { store, folder } = await storeWithFolder();
    server = await startProcess({ store, env: settingsOf(folder) });
    const key = await makeKey(store);
    const pet = '{"name":"x","categoryId":1}';
    const { body } = await send("POST", `${server.production}/pets`, { key, body: pet });
    await firstAndGone(folder);
    await server.logged('"removed":1');
    expect(await metric(server, "petstore_backup_interval_seconds")).toBe(1);
    expect(await metric(server, 'petstore_backups_total{outcome="made"}')).toBeGreaterThan(1);
    expect(await metric(server, "petstore_backup_age_seconds")).toBeLessThan(60);
    expect(await server.stop()).toBe(0);
    server = undefined;
    // There may be a third backup, if the service was stopped before it removed the oldest.
    expect(backupsIn(folder).length).toBeWithin(2, 4);
    expect(leftoversIn(folder)).toEqual([]);

    const newest = backupsIn(folder).at(-1) ?? "";
    server = await startProcess({ store: await restoredStore(join(folder, newest)) });
    const found = await send("GET", `${server.production}/pets`, { key });
    expect(found.json).toEqual([JSON.parse(body)]);
  });

  test("that cannot be written is reported in the log and a metric, and backups resume once it can", async () => {
    const { store, folder } = await storeWithFolder();
    writeFileSync(folder, "a file where the folder should be");
    server = await startProcess({ store, env: settingsOf(folder) });
    await server.logged("a backup failed; the next attempt is at the next scheduled time");
    expect(await metric(server, 'petstore_backups_total{outcome="failed"}')).toBeGreaterThan(0);
    rmSync(folder);
    await server.logged("a backup was made");
    expect(backupsIn(folder).length).toBeGreaterThan(0);
  });

  test("removes a killed process's files at the next backup, and keeps all other files", async () => {
    const { store, folder } = await storeWithFolder();
    mkdirSync(join(folder, "backup-1.partial"), { recursive: true });
    writeFileSync(join(folder, "notes.txt"), "mine");
    writeFileSync(join(folder, "petstore-monday.backup"), "mine");
    const keepOne = { ...settingsOf(folder), PETSTORE_BACKUP_KEEP: "1" };
    server = await startProcess({ store, env: keepOne });
    await server.logged('"removed":1');
    expect(await server.stop()).toBe(0);
    server = undefined;
    expect(leftoversIn(folder)).toEqual([]);
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(["notes.txt", "petstore-monday.backup"]));
  });
});

test("a running backup ends with the service and leaves nothing behind", async () => {
  const { store, folder } = await storeWithFolder();
  await petstore(store, ["migrate"]);
  const production = new Database(join(store.dataDir, "production.sqlite"));
  production.run(`INSERT INTO pet (name, category_id)
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
    SELECT hex(randomblob(25000)), 1 FROM n`);
  production.close();
  server = await startProcess({ store, env: settingsOf(folder) });
  await until(() => leftoversIn(folder).length > 0);
  expect(await server.stop()).toBe(0);
  server = undefined;
  expect(leftoversIn(folder)).toEqual([]);
});

describe("petstore backup --keep", () => {
  test("is not made for PostgreSQL", async () => {
    const { store, folder } = await storeWithFolder();
    const elsewhere = ["--keep", "2", "--database-url", "postgres://127.0.0.1/x"];
    const { code, err } = await petstore(store, ["backup", ...elsewhere, folder]);
    expect([code, err]).toEqual([1, expect.stringContaining("pg_dump")]);
  });

  test("says if the given path is not a folder", async () => {
    const { store, folder } = await storeWithFolder();
    writeFileSync(folder, "");
    const { code, err } = await petstore(store, ["backup", "--keep", "2", folder]);
    expect([code, err]).toEqual([
      1,
      `petstore: ${folder} is not a folder. Give the path of a folder for the backups.\n`,
    ]);
  });

  test("makes a backup, and removes one dated in the future before any other", async () => {
    const { store, folder } = await storeWithFolder();
    await makeKey(store);
    mkdirSync(folder);
    const future = "petstore-29990101T000000.000Z.backup";
    const past = "petstore-20200101T000000.000Z.backup";
    for (const name of [future, past]) writeFileSync(join(folder, name), "");
    const { code, out } = await petstore(store, ["backup", "--keep", "2", "--json", folder]);
    const { file, removed } = JSON.parse(out);
    expect([code, removed]).toEqual([0, [future]]);
    const kept = backupsIn(folder).map((name) => join(folder, name));
    expect(kept.toSorted()).toEqual([file, join(folder, past)].sort());
    await restoredStore(file);
  });

  test("removes nothing when the backup fails", async () => {
    const { store, folder } = await storeWithFolder();
    mkdirSync(folder);
    const old = ["petstore-20200101T000000.000Z.backup", "petstore-20200102T000000.000Z.backup"];
    for (const name of old) writeFileSync(join(folder, name), "");
    const { code, err } = await petstore(store, ["backup", "--keep", "1", folder]);
    expect([code, err]).toEqual([1, expect.stringContaining("There is no store")]);
    expect(backupsIn(folder)).toEqual(old);
  });

  test("is refused while another backup runs in the same folder", async () => {
    const { store, folder } = await storeWithFolder();
    await makeKey(store);
    const attempts = await Promise.all(
      [1, 2, 3, 4, 5, 6].map(() => petstore(store, ["backup", "--keep", "9", folder])),
    );
    const made = attempts.filter(({ code }) => code === 0);
    expect(made.length).toBeGreaterThan(0);
    expect(backupsIn(folder)).toHaveLength(made.length);
    for (const { code, err } of attempts)
      expect(err).toContain(code === 0 ? "Backed up" : "Another backup is being written");
    expect(leftoversIn(folder)).toEqual([]);
  });
});
