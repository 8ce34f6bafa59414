import { expect, test } from "bun:test";
import { until } from "../until.ts";
import { PROJECT } from "./documents.ts";

// If a test run ends early, it must stop every process that it has started.

/** Returns the command lines of all descendants of a process, keyed by PID. */
async function descendantsOf(pid: number): Promise<ReadonlyMap<number, string>> {
  const lines = (await Bun.$`ps -A -o pid=,ppid=,args=`.text()).split("\n");
  const processes = lines.flatMap((line) => {
    const [, id, parent, args = ""] = /^ *(\d+) +(\d+) (.*)/.exec(line) ?? [];
    return id === undefined ? [] : [{ id: Number(id), parent: Number(parent), args }];
  });
  const found = new Map<number, string>();
  function add(parent: number): void {
    for (const { id, args } of processes.filter((one) => one.parent === parent)) {
      found.set(id, args);
      add(id);
    }
  }
  add(pid);
  return found;
}

test.each(["SIGINT", "SIGTERM", "SIGKILL"] as const)(
  "%s ends a run, its service and its PostgreSQL",
  async (signal) => {
    const words = ["--preload=./test/repository/never-ending.ts", "test/wire/key.test.ts"];
    const run = Bun.spawn([process.execPath, "--no-orphans", "scripts/test.ts", ...words], {
      cwd: PROJECT,
      stdio: ["ignore", "ignore", "ignore"],
    });
    let started: ReadonlyMap<number, string> = new Map();
    await until(async () => {
      started = await descendantsOf(run.pid);
      const commands = [...started.values()];
      return ["petstore.js serve", "bin/postgres -D"].every((part) =>
        commands.some((one) => one.includes(part)),
      );
    });
    run.kill(signal);
    await run.exited;
    const isRunning = (pid: number) => Bun.spawnSync(["ps", "-p", String(pid)]).success;
    const left = () => [...started.keys()].filter(isRunning);
    await until(() => left().length === 0);
    expect(left()).toEqual([]);
  },
);
