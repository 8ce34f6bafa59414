import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { freshPostgresStore, makeKey, type Server, send, startServer } from "../wire/server.ts";

// Three serving processes on one port, and the one that watches over them.

let server: Server;
let key: string;

beforeAll(async () => {
  server = await startServer({ store: await freshPostgresStore(), env: { PETSTORE_PROCESSES: "3" } });
  key = await makeKey(server.store);
});

async function workers(): Promise<readonly number[]> {
  const { stdout } = await Bun.$`pgrep -P ${server.pid}`.nothrow().quiet();
  return stdout.toString().trim().split("\n").filter(Boolean).map(Number);
}

/** Clients that open a connection for every request, until they are stopped. */
function startClients(count: number) {
  const outcomes = new Map<string, number>();
  let isOver = false;
  async function client(): Promise<void> {
    while (!isOver) {
      const outcome = await send("POST", `${server.production}/pets`, {
        key,
        body: '{"name":"x","categoryId":1}',
        headers: { Connection: "close" },
      }).then(
        (reply) => String(reply.status),
        (error: Error) => error.message,
      );
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
  }
  const running = Array.from({ length: count }, client);
  return {
    outcomes,
    async stop() {
      isOver = true;
      await Promise.all(running);
    },
  };
}

afterAll(() => server.kill());

describe("three processes on one port", () => {
  test("share the work; what they count is added up in one place", async () => {
    expect(await workers()).toHaveLength(3);
    const clients = startClients(12);
    while ((clients.outcomes.get("201") ?? 0) < 300) await new Promise((resolve) => setImmediate(resolve));
    await clients.stop();
    const created = [...clients.outcomes.values()].reduce((sum, count) => sum + count, 0);
    const metrics = await send("GET", server.operations);
    expect(metrics.status).toBe(200);
    expect(metrics.body).toContain(
      `petstore_requests_total{service="production",operation="createPet",status="201"} ${created}`,
    );
  });

  test("SIGHUP replaces them one by one: no request is refused", async () => {
    const before = await workers();
    const clients = startClients(8);
    process.kill(server.pid, "SIGHUP");
    await server.logged('"msg":"replaced"');
    await clients.stop();
    const after = await workers();
    console.log(`while the workers were replaced: ${JSON.stringify([...clients.outcomes])}`);
    expect([...clients.outcomes.keys()]).toEqual(["201"]);
    expect(after).toHaveLength(3);
    expect(after.filter((pid) => before.includes(pid))).toEqual([]);
  }, 60_000);

  test("one that dies is replaced, and the others go on", async () => {
    const [victim = 0] = await workers();
    process.kill(victim, "SIGKILL");
    await server.logged("a worker ended; another is started");
    for (;;) {
      const now = await workers();
      if (now.length === 3 && !now.includes(victim)) break;
      expect((await send("GET", `${server.production}/pets?limit=1`, { key })).status).toBe(200);
    }
  });

  test("SIGTERM ends them all, exit code 0", async () => {
    const pids = await workers();
    expect(await server.stop()).toBe(0);
    for (const pid of pids) expect(isAlive(pid)).toBe(false);
  });

  test("none outlives its supervisor, even one that is killed", async () => {
    server = await startServer({ store: server.store, env: { PETSTORE_PROCESSES: "2" } });
    const pids = await workers();
    expect(pids).toHaveLength(2);
    await server.kill();
    while (pids.some(isAlive)) await new Promise((resolve) => setImmediate(resolve));
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
