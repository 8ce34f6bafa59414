import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { UNPRIVILEGED } from "../../postgres/server.ts";
import { until } from "../../until.ts";

// Runs programs in separate network namespaces that a bridge connects, as if each program ran on its own machine. This needs root.

export const NETWORK = "10.77.51";
const BRIDGE = "petstore-ha";

/** A program in a network namespace. */
export interface Node {
  readonly name: string;
  readonly host: string;
  start(): void;
  /** Sends a signal to the program and to all processes that it has started. */
  signal(name: "SIGSTOP" | "SIGCONT" | "SIGKILL"): Promise<void>;
  cut(): Promise<void>;
  reconnect(): Promise<void>;
  remove(): Promise<void>;
}

/** Creates the network bridge. Returns a function that removes it. */
export async function createBridge(): Promise<() => Promise<void>> {
  await Bun.$`ip link add ${BRIDGE} type bridge && ip addr add ${NETWORK}.1/24 dev ${BRIDGE} && ip link set ${BRIDGE} up`;
  return async () => void (await Bun.$`ip link del ${BRIDGE}`);
}

/**
 * Starts a program in a network namespace, as an unprivileged user. The program's files are in a folder that is named after the
 * node.
 */
export async function startNode(
  folder: string,
  name: string,
  host: string,
  command: readonly string[],
): Promise<Node> {
  await mkdir(join(folder, name));
  await Bun.$`chown ${UNPRIVILEGED} ${join(folder, name)}`;
  await Bun.$`ip netns add ${name}`;
  await Bun.$`ip link add ${name} type veth peer name eth0 netns ${name}`;
  await Bun.$`ip link set ${name} master ${BRIDGE} up`;
  await Bun.$`ip -n ${name} addr add ${host}/24 dev eth0`;
  await Bun.$`ip -n ${name} link set eth0 up && ip -n ${name} link set lo up`;
  const user = [`--reuid=${UNPRIVILEGED}`, `--regid=${UNPRIVILEGED}`, "--clear-groups", "--pdeathsig=KILL"];

  const node: Node = {
    ...{ name, host },
    start() {
      const log = Bun.file(join(folder, `${name}.log`));
      Bun.spawn(["ip", "netns", "exec", name, "setpriv", ...user, ...command], {
        cwd: join(folder, name),
        stdio: ["ignore", log, log],
      });
    },
    async signal(signal) {
      // Before the processes are killed, all of them are suspended. Otherwise, one of them could start another process, which would
      // not be in the list. Processes that have ended since the list was made are ignored.
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
