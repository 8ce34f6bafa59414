import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { quantile } from "../../bench/statistics.ts";
import { type ServerProcess, startProcess } from "../wire/process.ts";
import { send } from "../wire/send.ts";
import { makeKey } from "../wire/server.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";
import type { HostileLoad, HostileReport } from "./hostile-clients.ts";

// One good client among thousands of hostile ones, and the responses to each.

const IDLE = 3_000;
const SLOW = 100;
/** Duration of a slow client's whole request: 1,000 bytes, one every 250 ms. */
const SENT_WHOLE_MS = 250_000;
const MEMORY_MAX_MB = 1_000;

let server: ServerProcess;
let key: string;
beforeAll(async () => {
  server = await startProcess({ store: await freshEmbeddedStore() });
  key = await makeKey(server.store);
});
afterAll(() => server.stop());

/** `ready` resolves when all are connected; `report` when the slow ones have been cut off. */
function startHostileClients(order: HostileLoad): {
  ready: Promise<void>;
  report: Promise<HostileReport>;
  end(): void;
} {
  const ready = Promise.withResolvers<void>();
  const report = Promise.withResolvers<HostileReport>();
  const child = Bun.spawn(
    [process.execPath, Bun.fileURLToPath(new URL("hostile-clients.ts", import.meta.url))],
    {
      stdio: ["ignore", "inherit", "inherit"],
      ipc(message: "ready" | HostileReport) {
        if (message === "ready") ready.resolve();
        else report.resolve(message);
      },
    },
  );
  child.send(order);
  return { ready: ready.promise, report: report.promise, end: () => child.kill() };
}

/** Creates and lists alternately until `isOver`; expects the right status of each. @returns milliseconds, in ascending order */
async function sendUntil(isOver: () => boolean): Promise<readonly number[]> {
  const latencies: number[] = [];
  for (let count = 0; !isOver(); count++) {
    const startedAt = performance.now();
    const reply =
      count % 2 === 0
        ? await send("POST", `${server.production}/pets`, { key, body: `{"name":"${count}","categoryId":1}` })
        : await send("GET", `${server.production}/pets`, { key });
    latencies.push(performance.now() - startedAt);
    expect(reply.status).toBe(count % 2 === 0 ? 201 : 200);
    await Bun.sleep(2);
  }
  return latencies.sort((one, other) => one - other);
}

async function residentMegabytes(): Promise<number> {
  return (Number((await Bun.file(`/proc/${server.pid}/statm`).text()).split(" ")[1]) * 4_096) / 1e6;
}

describe(`${IDLE} idle connections, slow heads, slow bodies, clients that never read, uploads that break off`, () => {
  let report: HostileReport;
  let good: readonly number[];
  beforeAll(async () => {
    const clients = startHostileClients({
      port: Number(new URL(server.production).port),
      key,
      idle: IDLE,
      slow: SLOW,
    });
    await clients.ready;
    let isOver = false;
    const sending = sendUntil(() => isOver);
    report = await clients.report;
    isOver = true;
    good = await sending;
    clients.end();
  }, 600_000);

  // Latencies are printed; bench/README.md has them.
  test("the good client gets every response right meanwhile, and never waits as long as a slow one", () => {
    console.log(`the good client: ${good.length} requests, p99 ${quantile(good, 0.99).toFixed(1)} ms`);
    expect(good.length).toBeGreaterThan(0);
    const slowest = [...report.slowHeads, ...report.slowBodies].map((ending) => ending.milliseconds);
    expect(quantile(good, 1)).toBeLessThan(Math.min(...slowest));
  });

  test("a client that sends a head slowly is cut off", () => {
    expect(report.slowHeads).toHaveLength(SLOW);
    for (const { milliseconds } of report.slowHeads) expect(milliseconds).toBeLessThan(SENT_WHOLE_MS);
  });

  test("a client that sends a body slowly gets 408", () => {
    expect(new Set(report.slowBodies.map(({ status }) => status))).toEqual(new Set([408]));
    for (const { milliseconds } of report.slowBodies) expect(milliseconds).toBeLessThan(SENT_WHOLE_MS);
  });

  test("idle connections stay open, while others break off their uploads", () => {
    expect(report.idleOpen).toBe(IDLE);
    expect(report.aborted).toBeGreaterThan(100);
  });

  test("the service is ready afterwards, within its memory limit, and has logged no fault", async () => {
    expect((await send("GET", `${server.production.replace("/v1", "")}/readyz`)).status).toBe(200);
    const megabytes = await residentMegabytes();
    console.log(`the server holds ${megabytes.toFixed(0)} MB`);
    expect(megabytes).toBeLessThan(MEMORY_MAX_MB);
    expect(server.log()).not.toContain('"fault"');
    expect(server.log()).not.toMatch(/"status":5\d\d/);
  });
});
