import { describe, expect, test } from "bun:test";
import { petstore } from "../wire/process.ts";
import { freshEmbeddedStore, freshPostgresStore } from "../wire/stores.ts";
import { addressOf, copy, freshEmbeddedStoreWithKey } from "./copy.ts";
import { emptyDatabaseUrl } from "./database.ts";

describe("petstore copy", () => {
  test("refuses a target that is not empty, a source that does not exist, and an invalid address", async () => {
    const one = await freshEmbeddedStoreWithKey();
    const other = await freshEmbeddedStoreWithKey();
    expect(await copy(one, other)).toEqual({
      code: 1,
      out: "",
      err: `petstore: sqlite:${other.dataDir} is not empty. Choose an empty target with --to.\n`,
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
      "petstore: There is no store at sqlite:/nowhere. Check the address in --from.\n",
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
      expect([code, err]).toEqual([
        0,
        `The tables are up to date: all ${pending.length} migrations have been applied.\n`,
      ]);
      expect(new Set(await states())).toEqual(new Set([true]));
      expect((await petstore(store, ["migrate", "--status"])).out).toMatch(
        /^DATABASE +NUMBER +NAME +STATE\naccounts +\d+ +baseline +applied\n/,
      );
    }
  });
});
