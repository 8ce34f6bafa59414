import { Database as Connection } from "bun:sqlite";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Socket } from "bun";
import { BODY_DEADLINE_MS } from "../src/http/body.ts";
import type { Listener } from "../src/server/listener.ts";
import { createTestClock } from "./clock.ts";
import { watchQueries } from "./seen-queries.ts";
import { createTestApp, openPort, type TestApp } from "./test-app.ts";
import { until } from "./until.ts";
import { sendRaw } from "./wire/send.ts";

// Measures what it costs to create an animal on SQLite, by counting pages, statements and timers. The counts are exact.

const CATEGORIES = 100;
const ANIMALS = 100_000;
/** The size of one frame in SQLite's write-ahead log (SQLite, "WAL-mode File Format" §1). */
const FRAME_BYTES = 24 + 4096;

/** Returns how many bytes this process has written to files (Linux, proc_pid_io(5)). */
const bytesWritten = () => Number(/^wchar: (\d+)$/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);

const pet = (index: number) => `{"name":"Newcomer","categoryId":${index % CATEGORIES},"status":"available"}`;

describe("creates on SQLite, in a store with 100,000 animals of 100 categories,", () => {
  let app: TestApp;
  let key: string;
  let queries: ReturnType<typeof watchQueries>;
  let written: () => number;
  let dataDir: string;

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), "petstore-"));
    await (await createTestApp({}, { dataDir })).close();
    const file = join(dataDir, "production.sqlite");
    fill(file);
    queries = watchQueries("production", dataDir);
    app = await createTestApp({}, { dataDir });
    key = (await app.makeKey()).token;
    // Gets the size of the log without opening it. If the test opened and closed the log, SQLite would lose its locks on it. The
    // log grows until the checkpoint at 1,000 pages.
    written = () => statSync(`${file}-wal`).size / FRAME_BYTES;
    await createMany(1);
  });
  afterAll(async () => {
    queries.stop();
    await app.close();
    rmSync(dataDir, { recursive: true });
  });

  let keys = 0;
  async function createMany(count: number, isKeyed = false): Promise<void> {
    const asked = Array.from({ length: count }, (_, index) => {
      const headers: Record<string, string> = isKeyed ? { "Idempotency-Key": `${++keys}` } : {};
      return app.send("production", "POST /v1/pets", { key, body: pet(index), headers });
    });
    for (const { status } of await Promise.all(asked)) expect(status).toBe(201);
  }

  test("write at most 2.5 pages each in groups of 64", async () => {
    const before = written();
    for (let group = 0; group < 3; group++) await createMany(64);
    expect(written()).toBeGreaterThan(before);
    expect((written() - before) / (3 * 64)).toBeLessThan(2.5);
  });

  test("write at most 9 pages each when they are sent one by one", async () => {
    const before = written();
    for (let count = 0; count < 40; count++) await createMany(1);
    expect(written()).toBeGreaterThan(before);
    expect((written() - before) / 40).toBeLessThan(9);
  });

  test("with an Idempotency-Key write at most 24 kB each in groups of 64", async () => {
    const before = bytesWritten();
    for (let group = 0; group < 3; group++) await createMany(64, true);
    expect(bytesWritten()).toBeGreaterThan(before);
    expect((bytesWritten() - before) / (3 * 64)).toBeLessThan(24_000);
  });

  test("run two statements each, one of which appends the event, and two for their group", async () => {
    queries.length = 0;
    await createMany(64);
    const counts: Record<string, number> = {};
    for (const { sql } of queries) {
      const kind = sql.split(" ", 2).join(" ");
      counts[kind] = (counts[kind] ?? 0) + 1;
    }
    expect(counts).toEqual({ "BEGIN IMMEDIATE": 1, "INSERT INTO": 128, COMMIT: 1 });
  });
});

describe("over connections,", () => {
  const clock = createTestClock();
  const waits: number[] = [];
  let queries: ReturnType<typeof watchQueries>;
  let app: TestApp;
  let listener: Listener;
  let head: string;
  const deadlines = () => waits.filter((milliseconds) => milliseconds === BODY_DEADLINE_MS).length;

  beforeEach(async () => {
    waits.length = 0;
    const counting = {
      ...clock,
      wait(milliseconds: number, signal: AbortSignal) {
        waits.push(milliseconds);
        return clock.wait(milliseconds, signal);
      },
    };
    queries = watchQueries("production");
    const { dataDir } = queries;
    app = await createTestApp({ clock: counting }, { dataDir, productionPort: "0" });
    listener = openPort(app, "production");
    const { token } = await app.makeKey();
    head = `POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nConnection: close\r\n`;
  });
  afterEach(async () => {
    queries.stop();
    await listener.stop();
    await app.close();
  });

  const request = (index: number) => `${head}Content-Length: ${pet(index).length}\r\n\r\n${pet(index)}`;

  test("creates that arrive together share a few commits", async () => {
    const connections = await Promise.all(Array.from({ length: 64 }, () => connect(listener)));
    queries.length = 0;
    for (const [index, { socket }] of connections.entries()) socket.write(request(index));
    for (const { answer } of connections) expect(await answer).toStartWith("HTTP/1.1 201 ");
    expect(queries.filter(({ sql }) => sql.startsWith("INSERT"))).toHaveLength(128);
    expect(queries.filter(({ sql }) => sql === "COMMIT").length).toBeLessThan(8);
  });

  test("bodies that arrive together with their headers need no timer", async () => {
    const timers = spyOn(globalThis, "setTimeout");
    try {
      const raw = await Promise.all(
        Array.from({ length: 64 }, (_, index) => sendRaw(listener.address, request(index))),
      );
      expect(raw.filter((answer) => answer.startsWith("HTTP/1.1 201 "))).toHaveLength(64);
      const forBodies = timers.mock.calls.filter(([, ms]) => ms === BODY_DEADLINE_MS);
      expect([forBodies, deadlines()]).toEqual([[], 0]);
    } finally {
      timers.mockRestore();
    }
  });

  test.each(["Content-Length: 50", "Transfer-Encoding: chunked"])(
    "a request whose body does not arrive holds no slot and is answered 408: %s",
    async (length) => {
      const answer = sendRaw(listener.address, `${head}${length}\r\n\r\n`);
      await until(() => deadlines() === 1);
      expect(await app.reading("petstore_requests_in_flight")).toBe(0);
      await clock.advance(BODY_DEADLINE_MS - 1);
      await clock.advance(1);
      expect(await answer).toStartWith("HTTP/1.1 408 ");
      expect(deadlines()).toBe(1);
    },
  );
});

/** Opens a TCP connection. `answer` resolves to everything received until the connection closes. */
async function connect({ port }: Listener): Promise<{ socket: Socket; answer: Promise<string> }> {
  const { promise: answer, resolve, reject } = Promise.withResolvers<string>();
  let received = "";
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      data(_socket, chunk) {
        received += chunk.toString("latin1");
      },
      close: () => resolve(received),
      error: (_socket, error) => reject(error),
    },
  });
  return { socket, answer };
}

function fill(file: string): void {
  using connection = new Connection(file);
  connection.run(
    `INSERT INTO pet (name, category_id, status)
      SELECT 'Animal ' || n, n % ${CATEGORIES}, CASE n % 4 WHEN 0 THEN 'available' WHEN 1 THEN 'pending' WHEN 2 THEN 'sold' END
        FROM (WITH RECURSIVE count (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < ${ANIMALS}) SELECT n FROM count)`,
  );
}
