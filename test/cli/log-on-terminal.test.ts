import { expect, test } from "bun:test";
import { formatInWords } from "../../src/telemetry/lines-in-words.ts";
import { until } from "../until.ts";
import { PROGRAM } from "../wire/process.ts";
import { send } from "../wire/send.ts";
import { makeKey } from "../wire/server.ts";
import { environment, freshEmbeddedStore } from "../wire/stores.ts";

// The service's own lines: in words on a terminal, JSON in a pipe (as every other test reads them).

/** Starts the service on a terminal; `screen` returns the text so far. */
async function serveOnTerminal(env: Readonly<Record<string, string>>) {
  const store = await freshEmbeddedStore();
  const decoder = new TextDecoder();
  const closed = Promise.withResolvers<void>();
  let screen = "";
  const child = Bun.spawn([...PROGRAM.command, "serve"], {
    env: { ...environment(store), ...env },
    terminal: {
      cols: 200,
      rows: 50,
      data(_terminal, bytes) {
        screen += decoder.decode(bytes, { stream: true });
      },
      exit: () => closed.resolve(),
    },
  });
  await until(() => screen.includes("Stop with Ctrl-C."));
  async function stop(): Promise<void> {
    child.kill("SIGTERM");
    await child.exited;
    await closed.promise;
  }
  return { store, screen: () => screen, stop, [Symbol.asyncDispose]: stop };
}

test("petstore serve on a terminal prints a short line for each request and event", async () => {
  await using service = await serveOnTerminal({ NO_COLOR: "1" });
  const { screen, store } = service;
  await until(() => /listening service=metrics/.test(screen()));
  const address = /listening service=production address=(\S+)/.exec(screen())?.[1] ?? "";
  const key = await makeKey(store);
  await send("POST", `${address}/pets`, { key, body: '{"name":"Fluffy","categoryId":1}' });
  await send("GET", `${address}/pets?limit=x`, { key });
  await send("GET", `${new URL(address).origin}/healthz`);
  await until(() => /GET 200/.test(screen()));
  const lines = screen().split("\r\n");
  for (const line of [
    /^\d\d:\d\d:\d\d production POST createPet 201 [\d.]+ ms key_\w+$/,
    /^\d\d:\d\d:\d\d production GET listPets 400 [\d.]+ ms key_\w+$/,
    /^\d\d:\d\d:\d\d production GET 200 [\d.]+ ms$/,
  ])
    expect(lines.filter((one) => line.test(one))).toHaveLength(1);
  expect(screen()).not.toContain('{"level"');
});

test("PETSTORE_LOG counts there, too", async () => {
  await using service = await serveOnTerminal({ PETSTORE_LOG: "warn" });
  await service.stop();
  expect(service.screen()).not.toContain("listening");
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
