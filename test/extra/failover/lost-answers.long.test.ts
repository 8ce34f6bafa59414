import { afterAll, beforeAll, expect, test } from "bun:test";
import { CONNECTIONS_DEFAULT } from "../../../src/limits.ts";
import type { Database } from "../../../src/storage/database.ts";
import { insertion } from "../../../src/storage/insertion.ts";
import { openDatabase } from "../../../src/storage/open.ts";
import { numberColumn } from "../../../src/storage/row.ts";
import { statement } from "../../../src/storage/statement.ts";
import { startRelay } from "../../postgres/relay.ts";
import { type PostgresServer, startPostgres } from "../../postgres/server.ts";
import { until } from "../../until.ts";
import { startProxy } from "./proxy.ts";

// These tests lose connections silently, as happens when a firewall drops packets or the database's machine fails.

const insertPet = insertion("pet", { name: "TEXT", categoryId: "BIGINT" }, numberColumn("id"));
const selectPets = statement("SELECT id FROM pet ORDER BY id", numberColumn("id"));

let postgres: PostgresServer;
let proxy: Awaited<ReturnType<typeof startProxy>>;
let database: Database;
beforeAll(async () => {
  postgres = await startPostgres();
  proxy = await startProxy(postgres.port);
  const databaseUrl = `postgres://postgres@127.0.0.1:${proxy.port}/postgres`;
  database = await openDatabase("production", { dataDir: "", databaseUrl });
});
afterAll(async () => {
  await database.close();
  proxy.close();
  await postgres.remove();
});

const add = async () => database.run(insertPet, { name: "x", categoryId: 1 });
const list = async () => database.read(selectPets, []);
const change = () => database.write(async (query) => query(selectPets, []));
/** Starts more statements than there are database connections, so that some of them queue. */
const each = (work: () => Promise<unknown>) =>
  Promise.allSettled(Array.from({ length: CONNECTIONS_DEFAULT }, work));

test.each([
  ["the server goes on", async () => {}],
  [
    "the server is another one",
    async () => {
      await postgres.kill();
      await postgres.start();
    },
  ],
])("connections that are silent are replaced, and %s", async (_, fail) => {
  await Promise.all([each(add), each(list), each(change)]);
  proxy.silence();
  await fail();
  const outcomes = await Promise.all([each(add), each(list), each(change)]);
  expect(outcomes.flat().map(({ status }) => status)).toContain("rejected");
  await until(async () => (await each(add)).every(({ status }) => status === "fulfilled"));
  await until(async () => (await each(list)).every(({ status }) => status === "fulfilled"));
  await until(async () => (await each(change)).every(({ status }) => status === "fulfilled"));
});

test("connections whose answers arrive while the server is asked about them, or just after, stay open", async () => {
  const relay = startRelay(postgres.url);
  const slow = await openDatabase("production", { dataDir: "", databaseUrl: relay.url });
  // Each statement must use a separate connection. Ordinary insertions would be combined in a batch on one connection.
  const insertionOf = (name: string) =>
    statement(`INSERT INTO pet (name, category_id) VALUES ('${name}', 1)`);
  const insertions = [insertionOf("one"), insertionOf("two")] as const;
  const insertBoth = () => Promise.allSettled(insertions.map((sent) => slow.run(sent, [])));
  await insertBoth();
  const [one, two, look] = [relay.hold(/'one'/), relay.hold(/'two'/), relay.hold(/NOT LIKE 'idle/)];
  expect((await insertBoth()).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await look.held;
  one.release();
  const next = relay.hold(/'one'/);
  let outcome: unknown;
  // Until the driver has read the delayed response, the service refuses further statements without sending them.
  const written = until(async () => {
    outcome = await slow.run(insertions[0], []).catch(String);
    return !String(outcome).includes("cannot be reached");
  });
  await next.held;
  const connections = relay.connections();
  look.release();
  two.release();
  // The statement `look` uses a separate connection, which closes when the statement ends.
  await until(() => relay.connections() < connections);
  next.release();
  await written;
  expect([outcome, relay.connections()]).toEqual([[], connections - 1]);
  await slow.close();
  relay.stop();
});
