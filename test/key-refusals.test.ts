import { expect, test } from "bun:test";
import { pruneKeyActivity } from "../src/keys/activity-store.ts";
import {
  createKeyActivity,
  KEY_LOG_KEPT,
  KEY_LOG_KEYS_MAX,
  type KeyActivity,
  listKeyRefusals,
} from "../src/keys/key-activity.ts";
import { noRows, statement } from "../src/storage/statement.ts";
import { createTestApp, onEachEngine } from "./test-app.ts";

onEachEngine((store) => {
  test("a key's refusals: the last 20, from several processes, and none of a key that is gone", async () => {
    const app = await createTestApp({}, await store());
    const { accounts, clock } = app;
    const { id: keyId } = await app.makeKey();
    const open = () => createKeyActivity(accounts);
    const [one, two] = [open(), open()];
    const start = clock.now();
    let last = 0;
    const refuse = (at: KeyActivity, to = keyId, path = "/v1/pets") => {
      const request = { at: start + ++last, requestId: `r${last}`, method: "GET", path };
      at.addRefusal(to, { ...request, status: 404, code: "not_found" });
    };
    const listed = async () =>
      (await listKeyRefusals(accounts.read, keyId)).map(({ requestId }) => Number(requestId.slice(1)));
    const run = (sql: string) => accounts.run({ sql, decode: noRows }, []);

    for (let round = 0; round < 30; round++) refuse(round % 3 ? one : two);
    expect(await listed()).toEqual([]);
    await one.flush();
    await two.flush();
    expect(await listed()).toEqual(Array.from({ length: KEY_LOG_KEPT }, (_, index) => 30 - index));

    refuse(one, "key_that_is_gone");
    refuse(one, keyId, `/${"x".repeat(9_999)}`);
    await one.flush();
    expect(await listed()).toHaveLength(KEY_LOG_KEPT);
    expect((await listKeyRefusals(accounts.read, keyId))[0]?.path).toHaveLength(200);

    // Refusals of KEY_LOG_KEYS_MAX other keys displace the first key's unsaved one.
    refuse(one);
    for (let other = 0; other < KEY_LOG_KEYS_MAX; other++) refuse(one, `key_${other}`);
    await one.flush();
    expect((await listed())[0]).toBe(32);

    refuse(one);
    await run("ALTER TABLE key_activity RENAME COLUMN entries TO hidden");
    await expect(one.flush()).rejects.toThrow();
    await run("ALTER TABLE key_activity RENAME COLUMN hidden TO entries");
    refuse(two);
    await one.flush();
    await two.flush();
    expect((await listed()).slice(0, 3)).toEqual([last, last - 1, 32]);

    await accounts.run(pruneKeyActivity, [start + last - 1]);
    expect(await listed()).toEqual([last, last - 1]);
    await accounts.run(statement("DELETE FROM api_key"), []);
    expect(await listed()).toEqual([]);
    await app.close();
  });
});
