import { expect, test } from "bun:test";
import { formatInWords } from "../../src/telemetry/lines-in-words.ts";
import { until } from "../until.ts";
import { serveOnTerminal } from "../wire/on-terminal.ts";
import { send } from "../wire/send.ts";
import { makeKey } from "../wire/server.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";

// On a terminal, the service logs plain text. If its output is a pipe, as in all other tests, it logs JSON.

test("on a terminal the service prints a banner, then a line for each request with path, status, code and time", async () => {
  const store = await freshEmbeddedStore();
  const service = await serveOnTerminal(store, { env: { NO_COLOR: "1" } });
  const address = service.address("production");
  const key = await makeKey(store);
  await send("POST", `${address}/pets`, { key, body: '{"name":"Fluffy","categoryId":1}' });
  await send("GET", `${address}/pets?limit=5`);
  await send("GET", `${address}/pets?name=%22%1B[31m%22&password=hunter2`, { key });
  await send("GET", `${new URL(address).origin}/healthz`);
  await until(() => /healthz 200/.test(service.screen()));
  expect(await service.stop()).toBe(0);
  const lines = service.screen().split("\r\n");
  for (const line of [
    /^\d\d:\d\d:\d\d production POST \/v1\/pets 201 [\d.]+ ms key_\w+$/,
    /^\d\d:\d\d:\d\d production GET \/v1\/pets\?limit=5 401 unauthorized [\d.]+ ms$/,
    /^\d\d:\d\d:\d\d production GET \/v1\/pets\?name=…&password=… 400 invalid_parameter [\d.]+ ms key_\w+$/,
    /^\d\d:\d\d:\d\d production GET \/healthz 200 [\d.]+ ms$/,
  ])
    expect([line.source, lines.filter((one) => line.test(one))]).toEqual([line.source, [expect.any(String)]]);
  // The addresses and the rule for sign-ups are already in the banner, so the log does not repeat them on a terminal.
  expect(service.screen()).not.toMatch(/\{"level"|listening|sign-up is/);
  expect(service.screen().match(/Sign-up is/g)).toHaveLength(1);
});

test("PETSTORE_LOG also applies on a terminal", async () => {
  const service = await serveOnTerminal(await freshEmbeddedStore(), { env: { PETSTORE_LOG: "warn" } });
  await service.stop();
  expect(service.screen()).not.toContain("stopped");
});

test("closing the terminal stops a foreground service, which first answers its running requests", async () => {
  const store = await freshEmbeddedStore();
  const log = `${store.dataDir}.log`;
  const service = await serveOnTerminal(store, { shell: `exec "$@" > '${log}'` });
  const key = await makeKey(store, { environment: "staging" });
  const body = '{"name":"Fluffy","categoryId":1}';
  const address = `${service.address("staging")}/pets`;
  const answer = send("POST", address, { key, body, headers: { "Petstore-Simulate": "delay=1000" } });
  await until(async () => (await send("GET", address, { key })).body !== "[]");
  expect(await service.closeTerminal()).toBe(0);
  expect((await answer).status).toBe(201);
  expect(await Bun.file(log).text()).toContain('"msg":"stopped"');
});

test("a warning has its level, a fault its stack, and control characters stay escaped", () => {
  const at = '"time":"2026-01-01T12:00:00.000Z"';
  const lines =
    `{"level":"warn",${at},"reason":"a\\u001bb","count":2,"msg":"a message was not delivered"}\n` +
    `{"level":"error",${at},"err":{"name":"Error","message":"no","stack":"Error: no\\n    at x\\u0007 (y.ts:1)"},"msg":"fault"}\n`;
  const words = formatInWords(true)(Buffer.from(lines));
  expect(words.replaceAll(/^\d\d:\d\d:\d\d/gm, "TIME")).toBe(
    'TIME warn a message was not delivered reason="a\\u001bb" count=2\n' +
      'TIME error fault\n    Error: no\n    "at x\\u0007 (y.ts:1)"\n',
  );
});
