import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { freePort } from "../postgres/server.ts";
import { serveOnTerminal } from "./on-terminal.ts";
import { followLog, PROGRAM, petstore, type ServerProcess, startProcess } from "./process.ts";
import { persist, send } from "./send.ts";
import { makeKey } from "./server.ts";
import { freshEmbeddedStore } from "./stores.ts";

// Tests behaviour that only a SQLite store has, because it consists of files.

let server: ServerProcess;
beforeAll(async () => {
  server = await startProcess({ store: await freshEmbeddedStore() });
});
afterAll(() => server.stop());

describe("what is stored", () => {
  test("of a password, only its argon2id hash is kept", async () => {
    await petstore(server.store, ["accounts", "create", "ada@example.com"], {
      input: "correct horse battery\n",
    });
    const accounts = new Database(`${server.store.dataDir}/accounts.sqlite`, { readonly: true });
    const select = "SELECT password_hash AS hash FROM account WHERE email = 'ada@example.com'";
    const stored = accounts.query<{ hash: string }, []>(select).get();
    expect(stored?.hash).toStartWith("$argon2id$v=19$m=19456,t=2,");
    expect(await Bun.password.verify("correct horse battery", stored?.hash ?? "")).toBe(true);
    accounts.close();
  });
});

describe("another program that holds the write lock", () => {
  test("does not block readers; a write waits and succeeds", async () => {
    const key = await makeKey(server.store);
    const other = new Database(`${server.store.dataDir}/production.sqlite`);
    other.run("BEGIN IMMEDIATE");
    const body = '{"name":"Waiting","categoryId":1}';
    const begunAt = performance.now();
    // A write waits for 2 s before it is refused. A busy machine may take longer for the rest of this test, so the write is repeated.
    const created = persist(async () => {
      const reply = await send("POST", `${server.production}/pets`, { key, body });
      if (reply.status === 503) expect(performance.now() - begunAt).toBeGreaterThan(1_900);
      return reply;
    });
    for (let time = 0; time < 3; time++) {
      expect((await send("GET", `${server.production}/pets?limit=1`, { key })).status).toBe(200);
    }
    expect(Bun.peek.status(created)).toBe("pending");
    other.run("COMMIT");
    other.close();
    expect((await created).status).toBe(201);
  });
});

describe("the reader of the log", () => {
  test("can disappear without ending the service", async () => {
    const shell = await serveOnTerminal(await freshEmbeddedStore(), { shell: '"$@" | head -1' });
    const { origin } = new URL(shell.address("production"));
    for (let count = 0; count < 50; count++)
      expect((await send("GET", `${origin}/healthz`)).status).toBe(200);
    const documents = await send("GET", `${origin}/openapi.json`);
    const addresses = documents.json.servers.map((one: { url: string }) => one.url);
    expect(addresses).toEqual([`${origin}/v1`, shell.address("staging")]);
    // Of the commands in the pipeline, only the service still runs, because `head` has ended.
    await Bun.$`pkill -TERM -P ${shell.pid}`.quiet();
    await shell.exited;
  });
});

test("SIGHUP does not end it; one line of the log says that nothing is replaced", async () => {
  process.kill(server.pid, "SIGHUP");
  process.kill(server.pid, "SIGHUP");
  await server.logged("SIGHUP has no effect on a single process");
  expect((await send("GET", `${new URL(server.production).origin}/readyz`)).status).toBe(200);
  expect(server.log().match(/SIGHUP/g)).toHaveLength(1);
});

test("several processes are refused, with the reason and what to do", async () => {
  const { code, err } = await petstore(await freshEmbeddedStore(), ["serve", "--processes", "2"]);
  expect([code, err]).toEqual([
    2,
    "petstore: --processes must be 1 with SQLite, because only one process can write to its databases. " +
      "To run several processes, set PETSTORE_DATABASE_URL to a PostgreSQL address.\n",
  ]);
});

test("one service by name opens only its own port", async () => {
  const store = await freshEmbeddedStore();
  const child = Bun.spawn([...PROGRAM.command, "serve", "messages"], {
    env: { PETSTORE_DATA_DIR: store.dataDir, PETSTORE_MESSAGES_PORT: "0" },
    stdout: "pipe",
    stderr: "pipe",
  });
  const log = followLog(child.stdout);
  await log.until((text) => text.includes('"listening"') || undefined);
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
  await log.ended;
  const lines = log.text().trim().split("\n");
  const listening = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "listening");
  expect(listening.map(({ service }) => service)).toEqual(["messages"]);
  expect(await new Response(child.stderr).text()).toBe("");
  const files = [...new Bun.Glob("*.sqlite").scanSync({ cwd: store.dataDir })].sort();
  for (const file of files) expect(statSync(`${store.dataDir}/${file}`).mode & 0o777).toBe(0o600);
  expect(files).toEqual(["accounts.sqlite", "messages.sqlite"]);
});

test("a hosting platform's PORT is the port of the one service, on every interface", async () => {
  const store = await freshEmbeddedStore();
  const port = freePort();
  const child = Bun.spawn([...PROGRAM.command, "serve", "production"], {
    env: { PETSTORE_DATA_DIR: store.dataDir, PORT: String(port) },
    stdout: "pipe",
    stderr: "pipe",
  });
  const log = followLog(child.stdout);
  await log.until((text) => text.includes('"listening"') || undefined);
  // 127.0.0.2 also leads to this machine, but a service that listens only on 127.0.0.1 would not answer there.
  const reply = await fetch(`http://127.0.0.2:${port}/readyz`, { headers: { Host: "shop.example" } });
  child.kill("SIGTERM");
  expect([reply.status, await child.exited]).toEqual([200, 0]);
  await log.ended;
});

test('a service that gets SIGTERM right after its log says "listening" stops cleanly', async () => {
  for (let round = 0; round < 3; round++) {
    const store = await freshEmbeddedStore();
    const child = Bun.spawn([...PROGRAM.command, "serve", "messages"], {
      env: { PETSTORE_DATA_DIR: store.dataDir, PETSTORE_MESSAGES_PORT: "0" },
      stdout: "pipe",
      stderr: "ignore",
    });
    const log = followLog(child.stdout);
    await log.until((text) => text.includes('"listening"') || undefined);
    // Only one signal is sent, because a second one that arrives more than a second later ends the service at once.
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
    await log.ended;
  }
});
