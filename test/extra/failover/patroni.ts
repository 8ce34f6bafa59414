import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { debianPostgres } from "../../machine.ts";
import { UNPRIVILEGED } from "../../postgres/server.ts";
import { until } from "../../until.ts";
import { startProxy } from "./proxy.ts";
import type { FailingCluster } from "./run.ts";

// Runs three servers under Patroni 4, with the settings that the guide recommends. Each server has a network namespace, so that its
// network can be cut. This needs root, and the programs `patroni` and `etcd` in the path.

export const PATRONI_KINDS = [
  "switched over",
  "primary killed",
  "primary frozen",
  "primary cut off",
  "etcd lost",
  "standby frozen",
] as const;
type Kind = (typeof PATRONI_KINDS)[number];

const NETWORK = "10.77.51";
const ETCD = `http://${NETWORK}.10:2379`;
/** Longer than Patroni keeps the leader's key, so that a fault that changes no leader shows that it changes none. */
const FAULT_MS = 25_000;
/** HAProxy's `inter` in Patroni's example. */
const CHECK_MS = 3_000;
const BRIDGE = "petstore-ha";

/** The settings that the guide recommends. The other ones are Patroni's defaults. */
const RECOMMENDED = {
  ...{ ttl: 20, loop_wait: 5, retry_timeout: 5 },
  ...{ failsafe_mode: true, synchronous_mode: "quorum" },
};

interface Node {
  readonly name: string;
  readonly host: string;
  start(): void;
  signal(name: "SIGSTOP" | "SIGCONT" | "SIGKILL"): Promise<void>;
  cut(): Promise<void>;
  reconnect(): Promise<void>;
}

export async function startPatroni(): Promise<FailingCluster<Kind>> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "petstore-patroni-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  await Bun.$`ip link add ${BRIDGE} type bridge && ip addr add ${NETWORK}.1/24 dev ${BRIDGE} && ip link set ${BRIDGE} up`;
  stack.defer(async () => void (await Bun.$`ip link del ${BRIDGE}`));
  const etcd = await startNode(folder, "petstore-etcd", `${NETWORK}.10`, [
    ...["etcd", "--data-dir", join(folder, "petstore-etcd")],
    ...["--listen-client-urls", ETCD, "--advertise-client-urls", ETCD],
  ]);
  stack.defer(etcd.remove);
  const nodes: Node[] = [];
  for (const number of [1, 2, 3]) {
    const name = `petstore-${number}`;
    const host = `${NETWORK}.${10 + number}`;
    const config = join(folder, `${name}.yml`);
    await Bun.write(config, JSON.stringify(configOf(name, host, join(folder, name))));
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

function configOf(name: string, host: string, dataDir: string) {
  const programs = debianPostgres();
  if (programs === undefined) throw new Error("PostgreSQL of a Debian package is not installed.");
  return {
    ...{ scope: "petstore", name },
    restapi: { listen: `${host}:8008`, connect_address: `${host}:8008` },
    etcd3: { hosts: [ETCD.replace("http://", "")] },
    bootstrap: {
      dcs: {
        ...RECOMMENDED,
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

/** Runs a program in a network namespace, without root's rights. */
async function startNode(folder: string, name: string, host: string, command: readonly string[]) {
  await mkdir(join(folder, name));
  await Bun.$`chown ${UNPRIVILEGED} ${join(folder, name)}`;
  await Bun.$`ip netns add ${name}`;
  await Bun.$`ip link add ${name} type veth peer name eth0 netns ${name}`;
  await Bun.$`ip link set ${name} master ${BRIDGE} up`;
  await Bun.$`ip -n ${name} addr add ${host}/24 dev eth0`;
  await Bun.$`ip -n ${name} link set eth0 up && ip -n ${name} link set lo up`;
  const user = [`--reuid=${UNPRIVILEGED}`, `--regid=${UNPRIVILEGED}`, "--clear-groups", "--pdeathsig=KILL"];

  const node = {
    ...{ name, host },
    start() {
      const log = Bun.file(join(folder, `${name}.log`));
      Bun.spawn(["ip", "netns", "exec", name, "setpriv", ...user, ...command], {
        cwd: join(folder, name),
        stdio: ["ignore", log, log],
      });
    },
    async signal(signal: "SIGSTOP" | "SIGCONT" | "SIGKILL") {
      // Stopped first, no process starts another one that is missing from the list.
      // A process may have ended since it was listed.
      for (const each of signal === "SIGKILL" ? (["SIGSTOP", signal] as const) : [signal])
        await Bun.$`kill -s ${each} ${await pidsIn(name)}`.nothrow().quiet();
      if (signal === "SIGKILL") await until(async () => (await pidsIn(name)).length === 0);
    },
    cut: async () => void (await Bun.$`ip link set ${name} down`),
    reconnect: async () => void (await Bun.$`ip link set ${name} up`),
    async remove() {
      await node.signal("SIGKILL");
      await Bun.$`ip netns del ${name}`;
    },
  };
  node.start();
  return node;
}

async function pidsIn(namespace: string): Promise<string[]> {
  const pids = await Bun.$`ip netns pids ${namespace}`.text();
  return pids.split("\n").filter(Boolean);
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

/** Resolves once both standbys are part of the quorum. */
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
