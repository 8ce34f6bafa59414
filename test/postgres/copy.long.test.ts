import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { flawsOf, readEmbeddedLog, readPostgresLog } from "../events/log.ts";
import { PROGRAM, petstore } from "../wire/process.ts";
import { send } from "../wire/send.ts";
import { makeKey, startServer } from "../wire/server.ts";
import { freshEmbeddedStore, freshPostgresStore, type Store } from "../wire/stores.ts";
import { addressOf, copy, freshEmbeddedStoreWithKey } from "./copy.ts";

const ANIMALS = 100_000;

/** Creates a store with records of every kind. It contains `ANIMALS` animals. */
async function createFullStore(): Promise<{ store: Store; key: string; message: string }> {
  const store = await freshEmbeddedStore();
  const server = await startServer({ store });
  const key = await makeKey(store);
  await petstore(store, ["accounts", "create", "ada@example.com"], { input: "correct horse battery" });
  const post = (base: string, path: string, body: string) =>
    send("POST", base + path, {
      key,
      body,
      headers: { "Idempotency-Key": `first-${path}` },
    });
  await post(server.production, "/categories", '{"name":"Cats","description":"🐈"}');
  await post(
    server.production,
    "/pets",
    '{"name":"first","categoryId":9223372036854775807,"status":"available","externalId":"00123"}',
  );
  await post(server.production, "/store/orders", '{"petId":1,"shipDate":"2026-12-24T18:00:00Z"}');
  const message = (await post(server.messages, "/messages", '{"message":"carry me"}')).json.id;
  await server.stop();

  const production = new Database(`${store.dataDir}/production.sqlite`);
  production.run(`WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ${ANIMALS})
    INSERT INTO pet (id, name, category_id, status)
    SELECT i, 'p' || i, i - 9223372036854775807, CASE i % 3 WHEN 0 THEN 'sold' WHEN 1 THEN 'available' END FROM n`);
  // Removes the animals with the highest identifiers. The next identifier then comes from the sequence, and cannot be derived from
  // the remaining rows.
  production.run(`DELETE FROM pet WHERE id > ${ANIMALS - 5}`);
  production.close();
  return { store, key, message };
}

describe("petstore copy", () => {
  test(`a store of ${ANIMALS} animals copied to PostgreSQL and back is the same, and the old key still works`, async () => {
    const { store, key, message } = await createFullStore();
    const onPostgres = await freshPostgresStore();
    const there = await copy(store, onPostgres, "--json");
    expect([there.code, there.err]).toEqual([0, ""]);
    const back = await freshEmbeddedStore();
    const again = await copy(onPostgres, back, "--json");
    expect([again.code, again.err]).toEqual([0, ""]);
    expect(JSON.parse(again.out)).toEqual(JSON.parse(there.out));
    expect(JSON.parse(there.out)["production.pet"].rows).toBe(ANIMALS - 5);

    for (const copied of [onPostgres, back]) {
      const server = await startServer({ store: copied });
      const next = await send("POST", `${server.production}/pets`, {
        key,
        body: '{"name":"next","categoryId":1}',
      });
      expect(next).toMatchObject({ status: 201, json: { id: ANIMALS + 1 } });
      const first = await send("GET", `${server.production}/pets?id=1`, { key });
      expect(first.body).toBe(
        '[{"id":1,"name":"first","categoryId":9223372036854775807,"status":"pending","externalId":"00123"}]',
      );
      const taken = await send("POST", `${server.production}/pets`, {
        key,
        body: '{"name":"other","categoryId":1,"externalId":"00123"}',
      });
      expect(taken).toMatchObject({ status: 409, json: { code: "conflict" } });
      const order = await send("GET", `${server.production}/store/orders`, { key });
      const shipDate = "2026-12-24T18:00:00.000Z";
      expect(order.json).toEqual([
        { id: 1, petId: 1, quantity: 1, shipDate, complete: false, createdAt: expect.any(String) },
      ]);
      const replayed = await send("POST", `${server.production}/categories`, {
        key,
        body: '{"name":"Cats","description":"🐈"}',
        headers: { "Idempotency-Key": "first-/categories" },
      });
      expect(replayed.headers.get("Idempotent-Replayed")).toBe("true");
      expect((await send("GET", `${server.messages}/messages/${message}`, { key })).body).toContain(
        "carry me",
      );
      await server.stop();
    }
  });

  test("continues where it was interrupted, and copies nothing twice; until then the target is not served", async () => {
    const { store } = await createFullStore();
    const target = await freshPostgresStore();
    const begin = () =>
      Bun.spawn([...PROGRAM.command, "copy", "--from", addressOf(store), "--to", addressOf(target)], {
        stdout: "ignore",
        stderr: "pipe",
      });
    const sql = new SQL(addressOf(target), { max: 1 });
    const copied = async (): Promise<number> => {
      const [row] = await sql`SELECT to_regclass('production.pet')::text AS name`;
      return row.name === null ? 0 : Number((await sql`SELECT count(*) AS rows FROM production.pet`)[0].rows);
    };
    const stopped = begin();
    while ((await copied()) < 2_000);
    stopped.kill("SIGINT");
    expect([await stopped.exited, await stopped.stderr.text()]).toEqual([
      130,
      "petstore: Interrupted. Run the same command again to continue the copy.\n",
    ]);
    const killed = begin();
    while ((await copied()) < 5_000);
    killed.kill("SIGKILL");
    await killed.exited;
    const sofar = await copied();
    expect(sofar).toBeGreaterThanOrEqual(5_000);
    expect(sofar).toBeLessThan(ANIMALS - 5);

    const elsewhere = await copy(await freshEmbeddedStoreWithKey(), target);
    expect([elsewhere.code, elsewhere.err]).toEqual([1, expect.stringContaining("is unfinished")]);
    await expect(startServer({ store: target })).rejects.toThrow(
      "This store is an unfinished copy of sqlite:",
    );
    const resumed = await copy(store, target);
    expect([resumed.code, resumed.out]).toEqual([0, ""]);
    expect(resumed.err).toContain("All tables were compared and are equal.");
    expect(await copied()).toBe(ANIMALS - 5);
    await sql.close();
  });

  test("keeps the events' identifiers in both directions, and later events get higher ones", async () => {
    const onPostgres = await freshPostgresStore();
    const key = await makeKey(onPostgres);
    const url = onPostgres.settings["PETSTORE_DATABASE_URL"] ?? "";
    async function serveAndRename(store: Store, name: string): Promise<void> {
      const server = await startServer({ store });
      for (const [request, body] of [
        ["POST /pets", '{"name":"x","categoryId":1}'],
        ["PATCH /pets/1", JSON.stringify({ name })],
      ] as const) {
        const [method = "", path = ""] = request.split(" ");
        expect((await send(method, server.production + path, { key, body })).status).toBeLessThan(300);
      }
      await server.stop();
    }
    await serveAndRename(onPostgres, "one");
    const first = await readPostgresLog(url);
    expect([first.events.length, ...flawsOf(first)]).toEqual([2]);

    const embedded = await freshEmbeddedStore();
    expect((await copy(onPostgres, embedded)).code).toBe(0);
    await serveAndRename(embedded, "two");
    const second = readEmbeddedLog(embedded.dataDir);
    expect([second.events.length, ...flawsOf(second)]).toEqual([4]);
    expect(second.events.slice(0, 2)).toEqual([...first.events]);

    const back = await freshPostgresStore();
    expect((await copy(embedded, back)).code).toBe(0);
    await serveAndRename(back, "three");
    const third = await readPostgresLog(back.settings["PETSTORE_DATABASE_URL"] ?? "");
    expect([third.events.length, ...flawsOf(third)]).toEqual([6]);
    expect(third.events.slice(0, 4)).toEqual([...second.events]);
  });
});
