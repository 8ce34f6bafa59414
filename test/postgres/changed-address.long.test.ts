import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { RUNTIME_SETTINGS } from "../../bin/runtime.js";
import { until } from "../until.ts";
import { PROGRAM, petstore, startProcess } from "../wire/process.ts";
import { send } from "../wire/send.ts";
import { makeKey } from "../wire/server.ts";
import { type PostgresServer, startPostgres } from "./server.ts";

// Tests a failover after which the host name of the database server has a different address, as with many providers. The service
// looks the name up in a hosts file that only its own mount namespace contains.

const NAME = "db.petstore.test";
const BODY = '{"name":"Rex","categoryId":1}';
const AWAY_MS = 10_000; // time for which the host name cannot be resolved, ten times as long as the runtime keeps an address

let folder: string;
let hosts: string;
let first: PostgresServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "petstore-hosts-"));
  chmodSync(folder, 0o755);
  hosts = join(folder, "hosts");
  first = await startPostgres();
});
afterAll(async () => {
  await first.remove();
  rmSync(folder, { recursive: true });
});

function pointTo(address: string): void {
  writeFileSync(hosts, `127.0.0.1 localhost\n${address} ${NAME}\n`);
}
const withHosts = (...command: readonly string[]) => [
  ...[
    "unshare",
    "--map-root-user",
    "--mount",
    "sh",
    "-c",
    'mount --bind "$0" /etc/hosts && exec "$@"',
    hosts,
  ],
  ...command,
];

test("changes are accepted by a server that replaces another one under the same name, and nothing is missing there", async () => {
  pointTo("127.0.0.1");
  // Some containers do not allow mounts. The test is then skipped.
  if (!Bun.spawnSync(withHosts("true")).success) return;
  const settings = { PETSTORE_DATABASE_URL: first.url.replace("127.0.0.1", NAME) };
  const service = await startProcess({
    store: { dataDir: "", settings },
    env: RUNTIME_SETTINGS,
    program: { ...PROGRAM, command: withHosts(...PROGRAM.command) },
  });
  const key = await makeKey({ dataDir: "", settings: { PETSTORE_DATABASE_URL: first.url } });
  const create = () => send("POST", `${service.production}/pets`, { key, body: BODY });
  const { json: pet } = await create();

  await first.stopAtOnce();
  expect((await create()).status).toBe(503);
  const second = await startPostgres({
    port: first.port,
    settings: ["listen_addresses=127.0.0.2"],
    fill: (dataDir) => cp(first.dataDir, dataDir, { recursive: true }),
  });
  pointTo("127.0.0.2");
  await until(async () => (await create()).status === 201);
  const { json: pets } = await send("GET", `${service.production}/pets`, { key });
  expect(pets.map(({ id }: { id: number }) => id)).toContain(pet.id);
  await service.kill();
  await second.remove();
});

test("open connections go on serving while the name cannot be resolved, and lost ones are opened again once it can", async () => {
  pointTo("127.0.0.1");
  if (!Bun.spawnSync(withHosts("true")).success) return;
  const server = await startPostgres();
  const service = await startProcess({
    store: { dataDir: "", settings: { PETSTORE_DATABASE_URL: server.url.replace("127.0.0.1", NAME) } },
    env: RUNTIME_SETTINGS,
    program: { ...PROGRAM, command: withHosts(...PROGRAM.command) },
  });
  const key = await makeKey({ dataDir: "", settings: { PETSTORE_DATABASE_URL: server.url } });
  const create = async () => (await send("POST", `${service.production}/pets`, { key, body: BODY })).status;
  expect(await create()).toBe(201);

  writeFileSync(hosts, "127.0.0.1 localhost\n");
  const away = performance.now();
  const statuses = new Set<number>();
  while (performance.now() - away < AWAY_MS) statuses.add(await create());
  expect([...statuses]).toEqual([201]);

  const sql = new SQL(server.url, { max: 1 });
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()`;
  await sql.close();
  await until(async () => (await create()) === 503);
  pointTo("127.0.0.1");
  await until(async () => (await create()) === 201);
  await service.kill();
  await server.remove();
});

test("petstore doctor warns if the runtime keeps addresses for long, and the server is given by its name", async () => {
  const runtimeAt = async (host: string, env = {}) => {
    const settings = { PETSTORE_DATABASE_URL: first.url.replace("127.0.0.1", host) };
    const { out } = await petstore({ dataDir: "", settings }, ["doctor"], { env });
    return /^(\w+) +runtime: /m.exec(out)?.[1];
  };
  expect(await runtimeAt("db.petstore.invalid")).toBe("warn");
  expect(await runtimeAt("db.petstore.invalid", RUNTIME_SETTINGS)).toBe("ok");
  expect(await runtimeAt("127.0.0.1")).toBe("ok");
});
