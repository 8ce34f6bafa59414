/** Servers have one core to themselves; the load generator, PostgreSQL and this program share the other. */
const SERVER_CORE = "0";
const LOAD_CORE = "1";

export interface Pinning {
  /** Why processes are not pinned; undefined when they are. */
  readonly absence: string | undefined;
  /** A server's command, on its own core. */
  forServer(command: readonly string[]): readonly string[];
}

/** Pins this process and its children to the load core. */
export async function pinCores(): Promise<Pinning> {
  const move = ["taskset", "--cpu-list", "--pid", LOAD_CORE, String(process.pid)];
  const isPinned = Bun.which("taskset") !== null && (await succeeds(move));
  return {
    absence: isPinned ? undefined : "taskset or a second core is missing: servers and load share cores",
    forServer: (command) => (isPinned ? ["taskset", "--cpu-list", SERVER_CORE, ...command] : command),
  };
}

async function succeeds(command: readonly string[]): Promise<boolean> {
  return (await Bun.spawn([...command], { stdout: "ignore", stderr: "ignore" }).exited) === 0;
}
