import { expect, test } from "bun:test";
import type { Socket } from "bun";
import { loadConfig } from "../../src/config.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { type Statement, statement } from "../../src/storage/statement.ts";
import { until } from "../until.ts";
import type { ServerProcess } from "./process.ts";
import { send } from "./send.ts";
import { makeKey, onBothEngines } from "./server.ts";
import { environment } from "./stores.ts";

const READERS = 1_000;
/** The number of event streams whose readers read nothing, although the service sends 18 MB to each of them. */
const STUCK = 40;
/** The service needs about 100 MB here. If it buffered all events for readers that read nothing, it would need another 720 MB. */
const MEMORY_MAX_MB = 400;
const CHANGES = 50;
const LONG = "x".repeat(60_000);
const insertPet: Statement<[name: string]> = statement("INSERT INTO pet (name, category_id) VALUES ($1, 1)");

const EVENT_LINE = "event: category.created";

onBothEngines(({ startProcess }) => {
  test(`${READERS} streams get each change, and memory is bounded, while the readers of ${STUCK} others read nothing`, async () => {
    const server = await startProcess();
    const key = await makeKey(server.store);
    const post = (path: string, body: object) =>
      send("POST", server.production + path, { key, body: JSON.stringify(body) });
    async function setStatus(status: string) {
      const body = JSON.stringify({ status });
      expect((await send("PATCH", `${server.production}/pets/1`, { key, body })).status).toBe(200);
    }
    const counts: number[] = new Array(READERS).fill(0);
    let received = 0;
    const openReader = (readerKey: string, index: number) => {
      let rest = "";
      return openStream(server, readerKey, "?type=category.created", (text) => {
        const parts = (rest + text).split(EVENT_LINE);
        // Keeps the rest of the text, because a chunk may end in the middle of a line.
        rest = parts.pop()?.slice(-EVENT_LINE.length) ?? "";
        counts[index] = (counts[index] ?? 0) + parts.length;
        received += parts.length;
      });
    };
    const readers: Socket[] = [];
    // An API key can have up to 100 event streams, so the readers need several keys.
    while (readers.length < READERS) {
      const readerKey = await makeKey(server.store);
      const opening = Array.from({ length: 100 }, (_, index) =>
        openReader(readerKey, readers.length + index),
      );
      readers.push(...(await Promise.all(opening)));
    }
    for (let count = 0; count < STUCK; count++) (await openStream(server, key, "", () => {})).pause();
    await until(async () => (await metric(server, "petstore_event_streams")) === READERS + STUCK);
    // The name is longer than the API allows. It stands for a name from an earlier version, which did not limit the length of
    // names.
    const database = await openDatabase("production", loadConfig({}, environment(server.store)));
    await database.run(insertPet, [LONG]);
    await database.close();
    const before = await megabytes(server);

    const delays: number[] = [];
    for (let change = 1; change <= CHANGES; change++) {
      // Changes of the status cause events that go only to the streams that nobody reads.
      for (let count = 0; count < 6; count++) await setStatus(count % 2 === 0 ? "sold" : "available");
      const { status } = await post("/categories", { name: `c${change}` });
      const answeredAt = performance.now();
      expect(status).toBe(201);
      await until(() => received === change * READERS);
      delays.push(performance.now() - answeredAt);
    }
    const slow = 'petstore_event_streams_ended_total\\{reason="slow"\\}';
    await until(async () => (await metric(server, slow)) === STUCK);
    const after = await megabytes(server);
    delays.sort((a, b) => a - b);
    console.log(
      `from the answer to the last of ${READERS} readers: median ${delays[CHANGES / 2]?.toFixed(0)} ms, ` +
        `longest ${delays.at(-1)?.toFixed(0)} ms; memory ${before.toFixed(0)} MB, then ${after.toFixed(0)} MB`,
    );
    expect(after).toBeLessThan(MEMORY_MAX_MB);
    expect(new Set(counts)).toEqual(new Set([CHANGES]));
    expect(await metric(server, "petstore_event_streams")).toBe(READERS);
    for (const socket of readers) socket.terminate();
    expect(await server.stop()).toBe(0);
  });
});

/** Opens an event stream on a new connection. Resolves once the headers of the response have arrived. */
async function openStream(server: ServerProcess, key: string, query: string, onText: (text: string) => void) {
  const { pathname } = new URL(server.production);
  const head = [
    `GET ${pathname}/events${query} HTTP/1.1`,
    ...["Host: a", `Authorization: Bearer ${key}`, "Accept: text/event-stream"],
  ];
  const begun = Promise.withResolvers<void>();
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port: Number(new URL(server.production).port),
    socket: {
      open: (opened) => void opened.write(`${head.join("\r\n")}\r\n\r\n`),
      data(_socket, chunk) {
        const text = chunk.toString();
        if (text.startsWith("HTTP/1.1 200 ")) begun.resolve();
        else if (text.startsWith("HTTP/1.1 ")) begun.reject(new Error(text));
        onText(text);
      },
    },
  });
  await begun.promise;
  return socket;
}

async function metric(server: ServerProcess, name: string): Promise<number> {
  const { body } = await send("GET", server.metrics);
  return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(body)?.[1]);
}

async function megabytes(server: ServerProcess): Promise<number> {
  const pages = Number((await Bun.file(`/proc/${server.pid}/statm`).text()).split(" ")[1]);
  return (pages * 4_096) / 1e6;
}
