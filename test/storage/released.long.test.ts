import { Database as Sqlite } from "bun:sqlite";
import { beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashMigrations, readReleased } from "../../scripts/check/baselines.ts";
import { readSource } from "../../scripts/check/source.ts";
import { hasPostgres } from "../machine.ts";
import { makeNextRelease } from "../postgres/next-release.ts";
import { AS_TESTER, freshRepository, runScript } from "../release/repository.ts";
import { openBrowserSession } from "../wire/browser-session.ts";
import { PROGRAM, type Program, petstore, startProcess } from "../wire/process.ts";
import { everyPet } from "../wire/remote.ts";
import { send } from "../wire/send.ts";
import type { Store } from "../wire/stores.ts";
import { OWNER } from "./fill-store.ts";
import { ENGINES, findLosses, type KeptStore, RELEASED, restoreKept } from "./kept-stores.ts";

// The present version must open the stores of every release without losing anything. The tests also rehearse a release: they save
// its stores, and open them with the next version. A stub replaces `npm`, so that the rehearsal runs no tests.

const VERSION = "1.10.0";

let repository: string;
const kept = () => join(repository, "test/storage/released", VERSION);

/** Serves a store, and checks that all of its earlier data is still there and that new resources get new identifiers. */
async function expectInUse(store: Store, { keys, rows }: KeptStore, program: Program): Promise<void> {
  const server = await startProcess({ store, program, env: { PETSTORE_HISTORY_DAYS: "0" } });
  try {
    const pets = rows["production"]?.["pet"] ?? [];
    const found = await everyPet(server, keys.production);
    expect(found.map(({ id, name }) => [String(id), name])).toEqual(
      pets.map(({ id, name }) => [id, name] as [string, string]).toReversed(),
    );
    const get = async (path: string) =>
      (await send("GET", server.production + path, { key: keys.production })).body;
    for (const { id } of rows["production"]?.["category"] ?? [])
      expect(await get("/categories")).toContain(`"id":${id},`);
    for (const { id } of rows["production"]?.["store_order"] ?? [])
      expect(await get("/store/orders")).toContain(`"id":${id},`);
    const events = rows["production"]?.["event"] ?? [];
    expect(await get("/events?limit=1")).toStartWith(`[{"id":${events.at(-1)?.["id"]},`);
    const added = await send("POST", `${server.production}/pets`, {
      key: keys.production,
      body: '{"name":"New","categoryId":1}',
    });
    expect([added.status, added.json.id > Number(pets.at(-1)?.["id"])]).toEqual([201, true]);
    expect((await send("GET", `${server.staging}/pets`, { key: keys.staging })).status).toBe(200);
    expect((await openBrowserSession(server).call("POST /session", OWNER)).status).toBe(201);
  } finally {
    await server.stop();
  }
}

/**
 * Makes a release in a test repository, with a stub in place of `npm`. If `mayWrite` is true, the stub passes `npm version` on to
 * the real `npm`. In all other cases, it exits with `exitCode`.
 */
async function release(exitCode: number, mayWrite = true) {
  const programs = mkdtempSync(join(tmpdir(), "petstore-programs-"));
  writeFileSync(
    join(programs, "npm"),
    `#!/bin/sh\n[ "$1" = version ] && ${mayWrite} && exec ${Bun.which("npm")} "$@"\nexit ${exitCode}\n`,
    { mode: 0o755 },
  );
  const env = { ...AS_TESTER, PATH: `${programs}:${process.env["PATH"]}` };
  return runScript(repository, "release.ts", [VERSION], env);
}
const git = (...args: readonly string[]) => Bun.$`git ${args}`.cwd(repository).text();

beforeAll(async () => {
  repository = await freshRepository();
});

describe.skipIf(!hasPostgres)("a release", () => {
  test("that is stopped by a test or npm leaves no store and no version behind", async () => {
    for (const mayWrite of [true, false]) {
      expect(await release(1, mayWrite)).toMatchObject({
        code: 1,
        err: expect.stringContaining("Everything is as it was."),
      });
      expect(await git("status", "--porcelain")).toBe("");
    }
  });

  test("commits a filled store of each engine, and the hashes of its migrations", async () => {
    expect(await release(0)).toMatchObject({ code: 0 });
    expect(await git("status", "--porcelain")).toBe("");
    const files = (
      await git("ls-tree", "--name-only", `v${VERSION}:test/storage/released/${VERSION}`)
    ).trim();
    expect(files.split("\n")).toEqual(["migrations.json", "postgres.json.gz", "sqlite.json.gz"]);
    expect(await readReleased(`${repository}/`)).toEqual([
      { version: VERSION, hashes: hashMigrations(await readSource()) },
    ]);
  });
});

const versions = readdirSync(RELEASED).filter((name) => /^\d/.test(name));

describe.skipIf(!hasPostgres).each(versions)("the store of %s", (version) => {
  test.each(ENGINES)("on %s is migrated without a loss, and used", async (engine) => {
    const { store, kept } = await restoreKept(join(RELEASED, version), engine);
    expect(await findLosses(store, kept)).toEqual([]);
    await expectInUse(store, kept, PROGRAM);
  });
});

describe.skipIf(!hasPostgres)("the store of the rehearsed release", () => {
  test.each(ENGINES)("on %s is migrated by the next program without a loss, and used", async (engine) => {
    const { store, kept: before } = await restoreKept(kept(), engine);
    const next = await makeNextRelease();
    expect(await petstore(store, ["migrate"], { program: next })).toMatchObject({ code: 0 });
    expect(await findLosses(store, before)).toEqual([]);
    await expectInUse(store, before, next);
  });

  test("is found to have lost whatever a migration changes", async () => {
    const { store, kept: before } = await restoreKept(kept(), "sqlite");
    expect(await findLosses(store, before)).toEqual([]);
    const database = new Sqlite(join(store.dataDir, "production.sqlite"));
    database.run("UPDATE pet SET name = 'other' WHERE id = 1");
    database.run("DELETE FROM category WHERE id = 7");
    database.run("ALTER TABLE webhook DROP COLUMN previous_until");
    database.close();
    const losses = await findLosses(store, before);
    for (const lost of [
      /^production\.pet \{"id":"1",/,
      /^production\.category \{"id":"7",/,
      /^production\.webhook /,
    ])
      expect(losses).toContainEqual(expect.stringMatching(lost));
  });
});
