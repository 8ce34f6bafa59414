import { expect, test } from "bun:test";
import { pruneKeyActivity } from "../src/keys/activity-store.ts";
import {
  createKeyActivity,
  KEY_LOG_INTERVAL_MS,
  KEY_LOG_KEPT,
  KEY_LOG_KEYS_MAX,
  type KeyActivity,
  listKeyRefusals,
  listKeyRequests,
} from "../src/keys/key-activity.ts";
import { KEY_LOG_RETENTION_MS } from "../src/server/maintenance.ts";
import { noRows, statement } from "../src/storage/statement.ts";
import { createTestApp, onEachEngine } from "./test-app.ts";
import { until } from "./until.ts";

onEachEngine((store) => {
  /** Creates an API key, and opens the log of its requests twice, as two processes would. */
  async function openActivity() {
    const app = await createTestApp({}, await store());
    const { accounts } = app;
    const { id: keyId } = await app.makeKey();
    const [one, two] = [createKeyActivity(accounts), createKeyActivity(accounts)];
    const flush = async () => {
      await one.flush();
      await two.flush();
    };
    return { app, accounts, keyId, one, two, flush, start: app.clock.now() };
  }

  test("a key's last 20 refusals from several processes are stored until the key is deleted", async () => {
    const { app, accounts, keyId, one, two, flush, start } = await openActivity();
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
    await flush();
    expect(await listed()).toEqual(Array.from({ length: KEY_LOG_KEPT }, (_, index) => 30 - index));

    refuse(one, "key_that_is_gone");
    refuse(one, keyId, `/${"x".repeat(9_999)}`);
    await one.flush();
    expect(await listed()).toHaveLength(KEY_LOG_KEPT);
    expect((await listKeyRefusals(accounts.read, keyId))[0]?.path).toHaveLength(200);

    // A refusal for the first key is not stored yet when refusals for KEY_LOG_KEYS_MAX other keys displace it.
    refuse(one);
    for (let other = 0; other < KEY_LOG_KEYS_MAX; other++) refuse(one, `key_${other}`);
    await one.flush();
    expect((await listed())[0]).toBe(32);

    refuse(one);
    await run("ALTER TABLE key_activity RENAME COLUMN entries TO hidden");
    await expect(one.flush()).rejects.toThrow();
    await run("ALTER TABLE key_activity RENAME COLUMN hidden TO entries");
    refuse(two);
    await flush();
    expect((await listed()).slice(0, 3)).toEqual([last, last - 1, 32]);

    await accounts.run(pruneKeyActivity, [start + last - 1]);
    expect(await listed()).toEqual([last, last - 1]);
    await accounts.run(statement("DELETE FROM api_key"), []);
    expect(await listed()).toEqual([]);
    await app.close();
  });

  test("a key's last 20 requests from several processes are stored until the key is deleted", async () => {
    const { app, accounts, keyId, one, two, flush, start } = await openActivity();
    let last = 0;
    const ask = (to = keyId) => {
      const now = start + ++last;
      const request = { now, requestId: `r${last}`, method: "GET", route: "/v1/pets", status: 200 };
      (last % 3 ? one : two).addRequest(to, request);
    };
    const listed = async () =>
      (await listKeyRequests(accounts.read, keyId)).map(({ requestId }) => Number(requestId.slice(1)));
    const newest = () => Array.from({ length: KEY_LOG_KEPT }, (_, index) => last - index);

    for (let round = 0; round < 50; round++) ask();
    expect(await listed()).toEqual([]);
    await flush();
    expect(await listed()).toEqual(newest());
    // Stores the log after each request, and therefore more often than KEY_LOG_KEPT, the number of requests that it keeps for a
    // key.
    for (let round = 0; round < 30; round++) {
      ask();
      await flush();
    }
    expect(await listed()).toEqual(newest());
    const rows = await accounts.read(statement("SELECT key_id FROM key_activity"), []);
    expect(rows.length).toBe(KEY_LOG_KEPT);

    ask("key_that_is_gone");
    await flush();
    expect(await listed()).toHaveLength(KEY_LOG_KEPT);
    await accounts.run(pruneKeyActivity, [start + last - 2]);
    expect(await listed()).toHaveLength(2);
    await accounts.run(statement("DELETE FROM api_key"), []);
    expect(await listed()).toEqual([]);
    await app.close();
  });

  test("a flush while an earlier one is still writing resolves only when the earlier one's entries are stored", async () => {
    const { app, accounts, keyId, one, start } = await openActivity();
    const ask = (requestId: string) =>
      one.addRequest(keyId, { now: start, requestId, method: "GET", route: "/v1/pets", status: 200 });
    const listed = async () =>
      (await listKeyRequests(accounts.read, keyId)).map(({ requestId }) => requestId);
    ask("first");
    const earlier = one.flush();
    await Promise.race([one.flush(), one.flush()]);
    expect(await listed()).toEqual(["first"]);
    await earlier;
    ask("second");
    await Promise.all([one.flush(), one.flush()]);
    expect((await listed()).toSorted()).toEqual(["first", "second"]);
    await app.close();
  });

  test("a request is listed by its route, whatever its path, query and response, even a cached one", async () => {
    const app = await createTestApp({}, await store());
    const { id, token: key } = await app.makeKey();
    const body = '{"name":"Ada Lovelace","categoryId":1}';
    await app.send("production", "POST /v1/pets", { key, body });
    const asked = [
      ...["GET /v1/pets/1", "GET /v1/pets/77", "GET /v1/pets?name=secret", "GET /v1/pets?name=secret"],
      ...["GET /v1/secret/path", "PUT /v1/pets", "HEAD /v1/pets"],
    ];
    for (const request of asked) {
      await app.clock.advance(1);
      await app.send("production", request, { key, headers: { "X-Request-Id": "mine" } });
    }
    await app.send("messages", "GET /messages/msg_secret", { key });
    await app.send("production", "GET /v1/pets", { key: `${key}x` });
    await app.clock.advance(KEY_LOG_INTERVAL_MS);
    const list = () => listKeyRequests(app.accounts.read, id);
    await until(async () => (await list()).length > 0);
    const requests = await list();
    expect(requests.map(({ method, route, status }) => `${method} ${route} ${status}`)).toEqual([
      "GET /messages/{id} 404",
      "HEAD /v1/pets 200",
      "PUT  405",
      "GET  404",
      "GET /v1/pets 200",
      "GET /v1/pets 200",
      "GET /v1/pets/{petId} 404",
      "GET /v1/pets/{petId} 200",
      "POST /v1/pets 201",
    ]);
    expect(requests[1]).toMatchObject({ requestId: "mine", at: app.clock.now() - KEY_LOG_INTERVAL_MS });
    expect(JSON.stringify(requests)).not.toContain("secret");
    await app.clock.advance(KEY_LOG_RETENTION_MS + 2 * 3_600_000);
    await until(async () => (await list()).length === 0);
    await app.close();
  });
});
