import { expect, test } from "bun:test";
import { startPostgres } from "../../postgres/server.ts";
import { until } from "../../until.ts";
import { startProcess } from "../../wire/process.ts";
import { send } from "../../wire/send.ts";
import { makeKey } from "../../wire/server.ts";
import { freshEmbeddedStore } from "../../wire/stores.ts";
import { startProxy } from "./proxy.ts";

const CLIENTS = 16;

test("a service whose connections are all silent serves again, while its clients go on", async () => {
  const postgres = await startPostgres();
  const proxy = await startProxy(postgres.port);
  const { dataDir } = await freshEmbeddedStore();
  const PETSTORE_DATABASE_URL = `postgres://postgres@127.0.0.1:${proxy.port}/postgres`;
  const server = await startProcess({ store: { dataDir, settings: { PETSTORE_DATABASE_URL } } });
  const key = await makeKey(server.store);
  const one = (index: number) =>
    index % 2 === 0
      ? send("GET", `${server.production}/pets?limit=5`, { key })
      : send("POST", `${server.production}/pets`, { key, body: '{"name":"x","categoryId":1}' });
  const atOnce = () => Promise.all(Array.from({ length: CLIENTS }, (_, index) => one(index)));

  let isOver = false;
  const seen = new Set<number>();
  const clients = Array.from({ length: CLIENTS }, async (_, index) => {
    while (!isOver) seen.add((await one(index)).status);
  });
  await until(() => seen.has(200) && seen.has(201));
  proxy.silence();
  await until(() => seen.has(503));
  await postgres.kill();
  await postgres.start();
  await until(async () => (await atOnce()).every(({ status }) => status < 300));

  isOver = true;
  await Promise.all(clients);
  expect([...seen].sort()).toEqual([200, 201, 503]);
  await server.kill();
  proxy.close();
  await postgres.remove();
}, 300_000);
