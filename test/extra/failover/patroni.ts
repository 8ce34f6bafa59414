import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { PROJECT } from "../../../bin/bundle.js";
import { debianPostgres } from "../../machine.ts";
import { until } from "../../until.ts";
import { createBridge, NETWORK, type Node, startNode } from "./node.ts";
import { startProxy } from "./proxy.ts";
import type { FailingCluster } from "./run.ts";

// Runs three PostgreSQL servers under Patroni 4, with the settings that the guide recommends. Each server has a network namespace,
// so that its network can be cut. This needs root, and the programs `patroni` and `etcd` in the path.

export const PATRONI_KINDS = [
  "switched over",
  "primary killed",
  "primary frozen",
  "primary cut off",
  "etcd lost",
  "standby frozen",
] as const;
type Kind = (typeof PATRONI_KINDS)[number];

const ETCD = `http://${NETWORK}.10:2379`;
/**
 * The duration of a fault. It is longer than Patroni keeps the leader's key, so if the leader has not changed by then, it never
 * will.
 */
const FAULT_MS = 25_000;
/** The interval of HAProxy's health checks (`inter`) in Patroni's example configuration. */
const CHECK_MS = 3_000;

export async function startPatroni(): Promise<FailingCluster<Kind>> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "petstore-patroni-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  stack.defer(await createBridge());
  const etcd = await startNode(folder, "petstore-etcd", `${NETWORK}.10`, [
    ...["etcd", "--data-dir", join(folder, "petstore-etcd")],
    ...["--listen-client-urls", ETCD, "--advertise-client-urls", ETCD],
  ]);
  stack.defer(etcd.remove);
  const settings = await readRecommended();
  const nodes: Node[] = [];
  for (const number of [1, 2, 3]) {
    const name = `petstore-${number}`;
    const host = `${NETWORK}.${10 + number}`;
    const config = join(folder, `${name}.yml`);
    await Bun.write(config, JSON.stringify(configOf(name, host, join(folder, name), settings)));
    const node = await startNode(folder, name, host, ["patroni", config]);
    stack.defer(node.remove);
    nodes.push(node);
  }

  let primary = await untilPrimary(nodes);
  let failed = primary;
  await untilQuorum(primary);
  const address = await startProxy(5432, primary.host);
  let led = primary;
  const checks = setInterval(async () => {
    const [next] = await primariesAmong(nodes);
    if (next === undefined || next === led) return;
    led = next;
    address.lead(5432, next.host);
  }, CHECK_MS);
  stack.defer(() => {
    clearInterval(checks);
    address.close();
  });
  const running = stack.move();

  return {
    address: `postgres://postgres@127.0.0.1:${address.port}/postgres`,
    hosts: `postgres://postgres@${nodes.map(({ host }) => host).join()}/postgres?target_session_attrs=read-write`,
    primary: () => ({ url: urlOf(primary) }),
    async fail(kind) {
      failed = kind === "standby frozen" ? await aStandby(nodes, primary) : primary;
      if (kind === "switched over") await switchOver(primary);
      else if (kind === "primary killed") await failed.signal("SIGKILL");
      else if (kind === "primary cut off") await failed.cut();
      else if (kind === "etcd lost") await etcd.signal("SIGKILL");
      else await failed.signal("SIGSTOP");
    },
    async recover(kind) {
      if (kind === "etcd lost" || kind === "standby frozen") await Bun.sleep(FAULT_MS);
      else primary = await untilPrimary(nodes.filter((node) => node !== failed));
    },
    async mend(kind) {
      if (kind === "primary killed") failed.start();
      else if (kind === "primary cut off") await failed.reconnect();
      else if (kind === "etcd lost") etcd.start();
      else await failed.signal("SIGCONT");
    },
    rejoin: () => untilQuorum(primary),
    remove: () => running.disposeAsync(),
  };
}

const urlOf = ({ host }: Node): string => `postgres://postgres@${host}/postgres`;

/** Reads the Patroni settings that the guide recommends. All other settings keep their defaults. */
async function readRecommended(): Promise<object> {
  const guide = await Bun.file(`${PROJECT}docs/guides/managed-database.md`).text();
  const [, text = ""] = /^## Patroni\n.*?```yaml\n(.*?)```/ms.exec(guide) ?? [];
  const settings = Bun.YAML.parse(text);
  if (typeof settings !== "object" || settings === null) throw new Error("The guide recommends no settings.");
  return settings;
}

function configOf(name: string, host: string, dataDir: string, settings: object) {
  const programs = debianPostgres();
  if (programs === undefined) throw new Error("PostgreSQL of a Debian package is not installed.");
  return {
    ...{ scope: "petstore", name },
    restapi: { listen: `${host}:8008`, connect_address: `${host}:8008` },
    etcd3: { hosts: [ETCD.replace("http://", "")] },
    bootstrap: {
      dcs: {
        ...settings,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 200 } },
      },
      initdb: [{ encoding: "UTF8" }, { locale: "C" }, "no-sync"],
    },
    postgresql: {
      ...{ listen: `${host}:5432`, connect_address: `${host}:5432` },
      ...{ data_dir: join(dataDir, "data"), bin_dir: join(programs, "bin"), pgpass: join(dataDir, "pgpass") },
      authentication: {
        superuser: { username: "postgres", password: "x" },
        replication: { username: "replicator", password: "x" },
      },
      parameters: { unix_socket_directories: "" },
      pg_hba: [`host all all ${NETWORK}.0/24 trust`, `host replication all ${NETWORK}.0/24 trust`],
    },
  };
}

async function primariesAmong(nodes: readonly Node[]): Promise<readonly Node[]> {
  const answers = nodes.map(async ({ host }) => {
    const answer = await fetch(`http://${host}:8008/primary`, { signal: AbortSignal.timeout(1_000) });
    return answer.ok;
  });
  const settled = await Promise.allSettled(answers);
  return nodes.filter((_, index) => {
    const answer = settled[index];
    return answer?.status === "fulfilled" && answer.value;
  });
}

async function untilPrimary(nodes: readonly Node[]): Promise<Node> {
  let found: Node | undefined;
  await until(async () => {
    [found] = await primariesAmong(nodes);
    return found !== undefined;
  });
  if (found === undefined) throw new Error("There is no primary.");
  return found;
}

async function untilQuorum(primary: Node): Promise<void> {
  await until(async () => (await standbysOf(primary)).length === 2);
}

async function standbysOf(primary: Node): Promise<readonly string[]> {
  await using sql = new SQL(urlOf(primary), { max: 1 });
  const rows: { name: string }[] = await sql`
    SELECT application_name AS name FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = 'quorum'`;
  return rows.map(({ name }) => name);
}

async function aStandby(nodes: readonly Node[], primary: Node): Promise<Node> {
  const [name] = await standbysOf(primary);
  const standby = nodes.find((node) => node.name === name);
  if (standby === undefined) throw new Error("There is no standby.");
  return standby;
}

async function switchOver({ host, name }: Node): Promise<void> {
  const answer = await fetch(`http://${host}:8008/switchover`, {
    method: "POST",
    body: JSON.stringify({ leader: name }),
  });
  if (!answer.ok) throw new Error(`Patroni answered the switchover ${answer.status}: ${await answer.text()}`);
}
