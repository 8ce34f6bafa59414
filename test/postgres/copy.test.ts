import { describe, expect, test } from "bun:test";
import { petstore } from "../wire/process.ts";
import { send } from "../wire/send.ts";
import { makeKey, startServer } from "../wire/server.ts";
import { freshEmbeddedStore, freshPostgresStore } from "../wire/stores.ts";
import { addressOf, copy, freshEmbeddedStoreWithKey } from "./copy.ts";
import { emptyDatabaseUrl } from "./database.ts";

describe("petstore copy", () => {
  test("an Idempotency-Key used on one engine replays the same answer on the other", async () => {
    const onPostgres = await freshPostgresStore();
    const key = await makeKey(onPostgres);
    const pet = {
      key,
      body: '{"name":"é \\" 🐈","categoryId":9007199254740993}',
      headers: { "Idempotency-Key": "both" },
    };
    const first = await startServer({ store: onPostgres });
    const made = await send("POST", `${first.production}/pets`, pet);
    expect(made.status).toBe(201);
    expect(
      await send("PATCH", `${first.production}/pets/1`, { key, body: '{"name":"renamed"}' }),
    ).toMatchObject({ status: 200 });
    expect((await send("POST", `${first.production}/pets`, pet)).body).toBe(made.body);
    await first.stop();

    const embedded = await freshEmbeddedStore();
    expect((await copy(onPostgres, embedded)).code).toBe(0);
    const second = await startServer({ store: embedded });
    const replayed = await send("POST", `${second.production}/pets`, pet);
    expect([replayed.status, replayed.body]).toEqual([201, made.body]);
    expect(replayed.headers.get("Idempotent-Replayed")).toBe("true");
    expect(replayed.headers.get("Location")).toBe(`${second.production}/pets/1`);
    const other = await send("POST", `${second.production}/pets`, {
      ...pet,
      body: '{"name":"x","categoryId":1}',
    });
    expect(other.status).toBe(422);
    await second.stop();
  }, 120_000);

  test("refuses a target that is not empty, a source that is not there, and an address that is none", async () => {
    const one = await freshEmbeddedStoreWithKey();
    const other = await freshEmbeddedStoreWithKey();
    expect(await copy(one, other)).toEqual({
      code: 1,
      out: "",
      err: `petstore: sqlite:${other.dataDir} is not empty. Choose an empty store with --to.\n`,
    });
    const nowhere = await petstore(one, [
      "copy",
      "--from",
      "sqlite:/nowhere",
      "--to",
      addressOf(await freshEmbeddedStore()),
    ]);
    expect([nowhere.code, nowhere.err]).toEqual([
      1,
      "petstore: There is no store at sqlite:/nowhere. Check --from.\n",
    ]);
    expect((await petstore(one, ["copy", "--from", "mysql://x", "--to", "sqlite:./never-made"])).code).toBe(
      2,
    );
  });
});

describe("petstore migrate", () => {
  test("lists what is pending, applies it, and lists it as applied", async () => {
    for (const store of [await freshEmbeddedStore(), await freshPostgresStore(emptyDatabaseUrl)]) {
      const states = async (): Promise<boolean[]> => {
        const { out } = await petstore(store, ["migrate", "--status", "--json"]);
        return JSON.parse(out).map((step: { isApplied: boolean }) => step.isApplied);
      };
      const pending = await states();
      expect(new Set(pending)).toEqual(new Set([false]));
      const { code, err } = await petstore(store, ["migrate"]);
      expect([code, err]).toEqual([0, `The tables are up to date: ${pending.length} migrations.\n`]);
      expect(new Set(await states())).toEqual(new Set([true]));
      expect((await petstore(store, ["migrate", "--status"])).out).toMatch(
        /^DATABASE +NUMBER +NAME +STATE\naccounts +\d+ +baseline +applied\n/,
      );
    }
  });
});
