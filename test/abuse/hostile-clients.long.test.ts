import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHistogram } from "../../bench/load/histogram.ts";
import { freshEmbeddedStore, makeKey, type Server, send, startServer } from "../wire/server.ts";
import type { CrowdOrder, CrowdReport } from "./crowd.ts";

// One good client beside thousands that mean no good: what each of the two meets.

const IDLE = 3_000;
const SLOW = 100;
/** What the slow clients would need to send all of it: 1,000 bytes, one every 250 ms. */
const SENT_WHOLE_MS = 250_000;
const MEMORY_MAX_MB = 1_000;

let server: Server;
let key: string;
beforeAll(async () => {
  server = await startServer({ store: await freshEmbeddedStore() });
  key = await makeKey(server.store);
});
afterAll(() => server.stop());

/** Sends for the crowd: resolves when all are there; `report` when the slow ones have been cut off. */
function gather(order: CrowdOrder): { ready: Promise<void>; report: Promise<CrowdReport>; end(): void } {
  const ready = Promise.withResolvers<void>();
  const report = Promise.withResolvers<CrowdReport>();
  const child = Bun.spawn([process.execPath, Bun.fileURLToPath(new URL("crowd.ts", import.meta.url))], {
    stdio: ["ignore", "inherit", "inherit"],
    ipc(message: "ready" | CrowdReport) {
      if (message === "ready") ready.resolve();
      else report.resolve(message);
    },
  });
  child.send(order);
  return { ready: ready.promise, report: report.promise, end: () => child.kill() };
}

/** Creates and lists by turns until the time has come; every answer must be the right one. */
async function askUntil(isOver: () => boolean): Promise<ReturnType<typeof createHistogram>> {
  const latencies = createHistogram();
  for (let count = 0; !isOver(); count++) {
    const startedAt = performance.now();
    const reply =
      count % 2 === 0
        ? await send("POST", `${server.production}/pets`, { key, body: `{"name":"${count}","categoryId":1}` })
        : await send("GET", `${server.production}/pets`, { key });
    latencies.add((performance.now() - startedAt) * 1_000);
    expect(reply.status).toBe(count % 2 === 0 ? 201 : 200);
    await Bun.sleep(2);
  }
  return latencies;
}

async function residentMegabytes(): Promise<number> {
  return (Number((await Bun.file(`/proc/${server.pid}/statm`).text()).split(" ")[1]) * 4_096) / 1e6;
}

describe(`${IDLE} idle connections, slow heads, slow bodies, clients that never read, uploads that break off`, () => {
  let report: CrowdReport;
  let good: ReturnType<typeof createHistogram>;
  beforeAll(async () => {
    const crowd = gather({ port: Number(new URL(server.production).port), key, idle: IDLE, slow: SLOW });
    await crowd.ready;
    let isOver = false;
    const asking = askUntil(() => isOver);
    report = await crowd.report;
    isOver = true;
    good = await asking;
    crowd.end();
  }, 120_000);

  // How soon is printed, and stands in docs/operating/overload.md.
  test("the good client beside them is answered rightly all the while, and never waits as long as they do", () => {
    const milliseconds = (share: number) => good.quantile(share) / 1_000;
    console.log(`the good client: ${good.count()} requests, p99 ${milliseconds(0.99).toFixed(1)} ms`);
    expect(good.count()).toBeGreaterThan(0);
    const slowest = [...report.slowHeads, ...report.slowBodies].map((ending) => ending.milliseconds);
    expect(milliseconds(1)).toBeLessThan(Math.min(...slowest));
  });

  test("whoever sends a head slowly is cut off", () => {
    expect(report.slowHeads).toHaveLength(SLOW);
    for (const { milliseconds } of report.slowHeads) expect(milliseconds).toBeLessThan(SENT_WHOLE_MS);
  });

  test("whoever sends a body slowly is told so: 408", () => {
    expect(new Set(report.slowBodies.map(({ status }) => status))).toEqual(new Set([408]));
    for (const { milliseconds } of report.slowBodies) expect(milliseconds).toBeLessThan(SENT_WHOLE_MS);
  });

  test("whoever is merely idle is left alone, and uploads were broken off all the while", () => {
    expect(report.idleOpen).toBe(IDLE);
    expect(report.aborted).toBeGreaterThan(100);
  });

  test("it is well after, holds no more memory than it may, and has logged no fault", async () => {
    expect((await send("GET", `${server.production.replace("/v1", "")}/readyz`)).status).toBe(200);
    const megabytes = await residentMegabytes();
    console.log(`the server holds ${megabytes.toFixed(0)} MB`);
    expect(megabytes).toBeLessThan(MEMORY_MAX_MB);
    expect(server.log()).not.toContain('"fault"');
    expect(server.log()).not.toMatch(/"status":5\d\d/);
  });
});
