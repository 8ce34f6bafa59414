import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { RUNTIME_SETTINGS } from "../../bin/runtime.js";
import { until } from "../until.ts";
import { startClients } from "../wire/clients.ts";
import { type ServerProcess, startProcess } from "../wire/process.ts";
import { send } from "../wire/send.ts";
import { makeKey } from "../wire/server.ts";
import { freshPostgresStore } from "../wire/stores.ts";

// Tests three processes of the service that share one port, and the supervisor that starts and stops them.

let server: ServerProcess;
let key: string;

beforeAll(async () => {
  const flags = ["--processes=3", "--production-port", "0", "--staging-port=0"];
  server = await startProcess({ store: await freshPostgresStore(), flags });
  key = await makeKey(server.store);
});

async function workers(): Promise<readonly number[]> {
  const { stdout } = await Bun.$`pgrep -P ${server.pid}`.nothrow().quiet();
  return stdout.toString().trim().split("\n").filter(Boolean).map(Number);
}

/**
 * Starts clients that open a new connection for each request until the test stops them. If a connection is reset, they retry with
 * the same Idempotency-Key.
 */
function startCreating(count: number) {
  const name = crypto.randomUUID();
  let resets = 0;
  const clients = startClients(count, async (client, turn) => {
    const pet = `${name}-${client}-${turn}`;
    const headers = { Connection: "close", "Idempotency-Key": pet };
    const body = `{"name":"${pet}","categoryId":1}`;
    for (;;) {
      try {
        return (await send("POST", `${server.production}/pets`, { key, body, headers })).status;
      } catch {
        resets++;
      }
    }
  });
  return { ...clients, resets: () => resets };
}

const MIGRATION_SETTING = "/proc/sys/net/ipv4/tcp_migrate_req";

/**
 * Sets Linux's tcp_migrate_req, as the guide recommends. When a process closes its port, Linux then passes connections that were
 * not accepted yet to another process.
 */
async function allowMigration(): Promise<{ isAllowed: boolean; restore(): Promise<void> }> {
  const before = await Bun.file(MIGRATION_SETTING)
    .text()
    .catch(() => undefined);
  const write = (value: string) =>
    Bun.write(MIGRATION_SETTING, value).then(
      () => true,
      () => false,
    );
  const isAllowed = before !== undefined && (await write("1"));
  return { isAllowed, restore: async () => void (isAllowed && (await write(before))) };
}

afterAll(() => server.kill());

describe("three processes on one port", () => {
  test("have the runtime's settings, even where a bare executable is their supervisor", async () => {
    const settings = Object.entries(RUNTIME_SETTINGS).map((setting) => setting.join("="));
    const environments = await Promise.all(
      [server.pid, ...(await workers())].map((pid) => Bun.file(`/proc/${pid}/environ`).text()),
    );
    const given = environments.map((text) => settings.every((one) => text.split("\0").includes(one)));
    expect(given).toEqual([false, true, true, true]);
  });

  test("share the work, and their metrics are added up in one place", async () => {
    expect(await workers()).toHaveLength(3);
    const clients = startCreating(12);
    while ((clients.statuses.get(201) ?? 0) < 300) await new Promise((resolve) => setImmediate(resolve));
    await clients.stop();
    const created = clients.statuses.get(201);
    const sum = `petstore_requests_total{service="production",operation="createPet",status="201"} ${created}\n`;
    // The metrics of a process that is slow to send them are omitted.
    await until(async () => (await send("GET", server.metrics)).body.includes(sum));
  });

  test("SIGHUP replaces them one by one: no request is refused", async () => {
    const before = await workers();
    const migration = await allowMigration();
    const clients = startCreating(8);
    process.kill(server.pid, "SIGHUP");
    await server.logged('"msg":"replaced"');
    await clients.stop();
    await migration.restore();
    const after = await workers();
    console.log(
      `while the workers were replaced: ${clients.statuses.get(201)} created, ${clients.resets()} connections reset`,
    );
    expect([...clients.statuses.keys()]).toEqual([201]);
    if (migration.isAllowed) expect(clients.resets()).toBe(0);
    expect(after).toHaveLength(3);
    expect(after.filter((pid) => before.includes(pid))).toEqual([]);
  });

  test("a hanging one under load is replaced, and every request is answered", async () => {
    const migration = await allowMigration();
    const clients = startCreating(12);
    const [victim = 0] = await workers();
    process.kill(victim, "SIGSTOP");
    await server.logged("a worker process does not respond; killing it");
    await until(async () => {
      const now = await workers();
      return now.length === 3 && !now.includes(victim);
    });
    await clients.stop();
    await migration.restore();
    console.log(
      `while a worker hung: ${clients.statuses.get(201)} created, ${clients.resets()} connections reset, the slowest ${Math.round(clients.slowestMs())} ms`,
    );
    expect([...clients.statuses.keys()]).toEqual([201]);
  });

  test("SIGTERM ends them all, exit code 0", async () => {
    const pids = await workers();
    expect(await server.stop()).toBe(0);
    for (const pid of pids) expect(isAlive(pid)).toBe(false);
  });

  test("none outlives its supervisor, even if the supervisor is killed", async () => {
    server = await startProcess({ store: server.store, env: { PETSTORE_PROCESSES: "2" } });
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
