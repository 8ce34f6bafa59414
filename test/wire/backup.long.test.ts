import { Database } from "bun:sqlite";
import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { until } from "../until.ts";
import { allIds, restored } from "./backups.ts";
import { petstore, type ServerProcess, startProcess } from "./process.ts";
import { send } from "./send.ts";
import { makeKey } from "./server.ts";
import { freshEmbeddedStore, type Store } from "./stores.ts";

// A store can be backed up while the service is using it. A restore either restores the whole backup or refuses it.

const CREATES_A_SECOND = 200;
const PET = '{"name":"x","categoryId":1}';

let server: ServerProcess | undefined;
afterEach(async () => {
  await server?.kill();
  server = undefined;
});

/**
 * Returns offsets in a backup file at which a change must be noticed: one in the data of each piece of the file, and one in each
 * checksum. Most other offsets are in unused space, where a change would do no harm.
 */
function storedAt(file: string, bytes: Uint8Array): readonly number[] {
  const database = new Database(file, { readonly: true });
  const stored = [
    ...database.query<{ bytes: Uint8Array }, []>("SELECT bytes FROM piece").all(),
    ...database.query<{ bytes: Uint8Array }, []>("SELECT CAST(sha256 AS BLOB) AS bytes FROM entry").all(),
  ];
  database.close();
  const whole = Buffer.from(bytes);
  return stored.map((one) => {
    let [start, found] = [Math.floor(one.bytes.length / 2), -1];
    // Searches for several samples of 32 bytes, because a sample that a page boundary splits is not found. Samples that contain a
    // zero are skipped, because they may also occur in unused space.
    for (; found < 0; start++) {
      const part = one.bytes.subarray(start, start + 32);
      if (!part.includes(0)) found = whole.indexOf(part);
    }
    return found;
  });
}

/** Creates a store with an animal in each environment and a message, stops its service, and makes a backup. */
async function savedStore(): Promise<{ store: Store; file: string; key: string }> {
  const store = await freshEmbeddedStore();
  const key = await makeKey(store);
  const stagingKey = await makeKey(store, { environment: "staging" });
  const running = await startProcess({ store });
  const numbered = JSON.stringify({ ...JSON.parse(PET), externalId: "00123" });
  await send("POST", `${running.production}/pets`, { key, body: numbered });
  await send("POST", `${running.staging}/pets`, { key: stagingKey, body: PET });
  await send("POST", `${running.messages}/messages`, { key, body: '{"message":"hello"}' });
  await running.stop();
  const file = join(store.dataDir, "..", `${store.dataDir.split("/").at(-1)}.backup`);
  expect(await petstore(store, ["backup", file])).toMatchObject({ code: 0, out: "" });
  return { store, file, key };
}

describe("petstore backup", () => {
  test(`while ${CREATES_A_SECOND} animals a second are added, it contains every animal acknowledged before it began, and the restored store serves`, async () => {
    const store = await freshEmbeddedStore();
    const key = await makeKey(store);
    server = await startProcess({ store });
    const { production } = server;
    const acknowledged = new Set<number>();
    const underWay = new Set<Promise<void>>();
    const pace = setInterval(() => {
      const adding = send("POST", `${production}/pets`, { key, body: PET })
        .then(({ status, json }) => {
          expect(status).toBe(201);
          acknowledged.add(json.id);
        })
        .finally(() => underWay.delete(adding));
      underWay.add(adding);
    }, 1000 / CREATES_A_SECOND);
    while (acknowledged.size < CREATES_A_SECOND) await Promise.race([...underWay, Bun.sleep(1)]);

    let before = new Set<number>();
    let made = 0;
    const fileOf = () => join(store.dataDir, `saved-${made}`);
    try {
      // On a busy machine, the service may stand still for a whole backup. Backups are made until animals are added during one.
      await until(async () => {
        before = new Set(acknowledged);
        made++;
        expect(await petstore(store, ["backup", fileOf()])).toMatchObject({ code: 0, out: "" });
        return acknowledged.size > before.size;
      });
    } finally {
      clearInterval(pace);
    }
    await Promise.all(underWay);
    await server.kill();

    const { store: copy, code, err } = await restored(fileOf());
    expect([code, err]).toEqual([0, expect.stringContaining("Start the service")]);
    server = await startProcess({ store: copy });
    const ids = await allIds(server, key);
    expect([...before].filter((id) => !ids.has(id))).toEqual([]);
    expect([...ids].filter((id) => !acknowledged.has(id))).toEqual([]);
    const { status, json } = await send("POST", `${server.production}/pets`, { key, body: PET });
    expect([status, ids.has(json.id)]).toEqual([201, false]);
  });

  test("contains accounts, keys, both environments with the animals' own numbers, and messages", async () => {
    const { file } = await savedStore();
    const { store } = await restored(file);
    const count = (name: string, table: string) => {
      const database = new Database(join(store.dataDir, `${name}.sqlite`), { readonly: true });
      const rows = database.query<{ count: number }, []>(`SELECT count(*) AS count FROM ${table}`).get();
      database.close();
      return rows?.count;
    };
    expect({
      accounts: count("accounts", "account"),
      keys: count("accounts", "api_key"),
      pets: count("production", "pet"),
      numberedPets: count("production", "pet WHERE external_id = '00123'"),
      rehearsedPets: count("staging", "pet"),
      messages: count("messages", "message"),
    }).toEqual({ accounts: 1, keys: 2, pets: 1, numberedPets: 1, rehearsedPets: 1, messages: 1 });
  });

  test("is readable only by its owner, leaves nothing else behind, and overwrites nothing", async () => {
    const { store, file } = await savedStore();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}.partial`)).toBe(false);
    const { mtimeMs } = statSync(file);
    const again = await petstore(store, ["backup", file]);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining("never overwrites a file")]);
    expect(statSync(file).mtimeMs).toBe(mtimeMs);
  });

  test("that cannot be completed leaves no file under its name", async () => {
    const { store } = await savedStore();
    const production = join(store.dataDir, "production.sqlite");
    const bytes = await Bun.file(production).bytes();
    // Damages the whole database file except for its first page, which has the header.
    bytes.fill(0xee, 4096);
    writeFileSync(production, bytes);
    const file = join(store.dataDir, "never");
    const { code, err } = await petstore(store, ["backup", file]);
    expect([code, err.trim().split("\n")]).toEqual([1, [expect.stringContaining("malformed")]]);
    expect(readdirSync(store.dataDir).filter((name) => name.startsWith("never"))).toEqual([]);
  });

  test("refuses a missing store, a backup that is being written, and a store that is not on this machine", async () => {
    const empty = await freshEmbeddedStore();
    expect(await petstore(empty, ["backup", join(empty.dataDir, "a")])).toMatchObject({
      code: 1,
      err: expect.stringContaining("There is no store"),
    });
    const { store, file } = await savedStore();
    await mkdir(`${file}2.partial`);
    expect(await petstore(store, ["backup", `${file}2`])).toMatchObject({
      code: 1,
      err: expect.stringContaining("is being written, or was interrupted"),
    });
    const elsewhere = ["--database-url", "postgres://nobody:secret@127.0.0.1:1/x"];
    const { code, err } = await petstore(store, ["backup", `${file}3`, ...elsewhere]);
    expect([code, err]).toEqual([1, expect.stringContaining("pg_dump")]);
    expect(err).not.toContain("secret");
  });
});

describe("petstore restore", () => {
  test("overwrites no store, and uses no log that another store left behind", async () => {
    const { store, file } = await savedStore();
    const before = await Bun.file(join(store.dataDir, "production.sqlite")).bytes();
    const { code, err } = await petstore(store, ["restore", file]);
    expect([code, err]).toEqual([1, expect.stringContaining("already has a store")]);
    expect(await Bun.file(join(store.dataDir, "production.sqlite")).bytes()).toEqual(before);
    for (const left of ["production.sqlite-wal", "accounts.sqlite-shm", "messages.sqlite-journal"]) {
      const other = await freshEmbeddedStore();
      writeFileSync(join(other.dataDir, left), "");
      const refused = await petstore(other, ["restore", file]);
      expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(left)]);
      expect(readdirSync(other.dataDir)).toEqual([left]);
    }
  });

  test("refuses a backup in which one byte was changed, or that was cut off, and leaves nothing", async () => {
    const { file } = await savedStore();
    const bytes = await Bun.file(file).bytes();
    for (const offset of storedAt(file, bytes)) {
      const changed = bytes.slice();
      changed[offset] = (changed[offset] ?? 0) ^ 0x01;
      writeFileSync(`${file}.changed`, changed);
      const { store, code, err } = await restored(`${file}.changed`);
      expect([offset, code, err]).toEqual([
        offset,
        1,
        expect.stringMatching(/damaged|not a backup|fails its/),
      ]);
      expect(existsSync(store.dataDir) ? readdirSync(store.dataDir) : []).toEqual([]);
    }
    writeFileSync(`${file}.cut`, bytes.slice(0, bytes.length / 2));
    expect(await restored(`${file}.cut`)).toMatchObject({ code: 1, err: expect.stringContaining("damaged") });
    writeFileSync(`${file}.other`, "not a backup at all");
    expect(await restored(`${file}.other`)).toMatchObject({ code: 1 });
    expect(await restored(`${file}.missing`)).toMatchObject({
      code: 1,
      err: expect.stringContaining("There is no"),
    });
    mkdirSync(`${file}.folder`);
    // Tests a named pipe. Reading from it would never end, because nobody writes to it.
    expect(Bun.spawnSync(["mkfifo", `${file}.pipe`]).exitCode).toBe(0);
    for (const end of ["folder", "pipe"])
      expect(await restored(`${file}.${end}`)).toMatchObject({
        code: 1,
        err: expect.stringContaining(
          `.${end} is not a file. Give the path of a backup file, as created by petstore backup.`,
        ),
      });
  });

  test("that was interrupted keeps the service from starting on half a store", async () => {
    const { dataDir } = await freshEmbeddedStore();
    const store = { dataDir, settings: { PETSTORE_DATA_DIR: dataDir } };
    await mkdir(join(dataDir, "restoring"));
    const { code, err } = await petstore(store, ["serve"]);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining("run the command again: petstore restore FILE."),
    ]);
    // The lock files are not counted, because they are empty and not part of a store.
    expect(readdirSync(dataDir).filter((name) => !/^serving-\w+\.lock$/.test(name))).toEqual(["restoring"]);
  });
});
