import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ServiceName } from "../../src/context.ts";
import { lockServices } from "../../src/server/service-locks.ts";
import { lockExclusively } from "../../src/storage/exclusive-lock.ts";
import { outcomeOf, PROGRAM, petstore, type ServerProcess, startProcess } from "./process.ts";
import { send } from "./send.ts";
import { environment, freshEmbeddedStore, type Store } from "./stores.ts";

// Each service that uses a data folder may run in only one process at a time.

const portOf = (address: string) => new URL(address).port;

describe("beside a running service", () => {
  let server: ServerProcess;
  let served: string;
  beforeAll(async () => {
    server = await startProcess({ store: await freshEmbeddedStore() });
    served =
      `petstore: Process ${server.pid} already runs production (port ${portOf(server.production)}), ` +
      `staging (port ${portOf(server.staging)}), messages (port ${portOf(server.messages)}) with the data in ${server.store.dataDir}. Stop it first`;
  });
  afterAll(() => server.stop());
  const run = (...args: readonly string[]) => petstore(server.store, args);

  test("a second one is refused in a line that names the process and the ports", async () => {
    expect(await run("serve")).toEqual({
      code: 1,
      out: "",
      err: `${served}, or choose another folder with --data-dir.\n`,
    });
    expect(await run("serve", "staging")).toMatchObject({
      code: 1,
      err: expect.stringContaining(`already runs staging (port ${portOf(server.staging)}) with the data in`),
    });
    expect((await send("GET", `${new URL(server.production).origin}/readyz`)).status).toBe(200);
  });

  test("its files are not replaced, and a backup has none of the locks", async () => {
    const file = join(server.store.dataDir, "one.backup");
    expect((await run("backup", file)).code).toBe(0);
    const before = readdirSync(server.store.dataDir);
    const refused = { code: 1, out: "", err: `${served}; nothing was changed.\n` };
    expect(await run("restore", file, "--replace")).toEqual(refused);
    expect(await run("doctor", "--accept-loss")).toEqual(refused);
    expect(readdirSync(server.store.dataDir)).toEqual(before);
    const other = await freshEmbeddedStore();
    expect((await petstore(other, ["restore", file])).code).toBe(0);
    expect(readdirSync(other.dataDir).filter((name) => name.startsWith("serving-"))).toEqual([]);
  });

  test("operators' commands work", async () => {
    for (const command of ["keys list", "accounts list", "migrate --status", "doctor"])
      expect([command, (await run(...command.split(" "))).code]).toEqual([command, 0]);
  });
});

test("when two processes start at the same moment, exactly one serves; once it is killed, the folder is free", async () => {
  const store = await freshEmbeddedStore();
  const start = () =>
    Bun.spawn([...PROGRAM.command, "serve"], { env: environment(store), stdout: "ignore", stderr: "pipe" });
  const both = [start(), start()];
  const refused = await Promise.race(both.map((child) => child.exited.then(() => child)));
  const [serving] = both.filter((child) => child !== refused);
  expect([await refused.exited, await new Response(refused.stderr).text()]).toEqual([
    1,
    expect.stringContaining(`petstore: Process ${serving?.pid} already runs production`),
  ]);
  serving?.kill("SIGKILL");
  await serving?.exited;
  const next = await startProcess({ store });
  expect(next.log()).not.toContain("waiting");
  await next.stop();
});

describe("the locks", () => {
  async function lock(store: Store, names: readonly ServiceName[], warnings: string[] = []) {
    const warn = (_fields: unknown, message = "") => void warnings.push(message);
    return lockServices({ dataDir: store.dataDir, databaseUrl: undefined }, names, { warn });
  }

  test("are one for each service", async () => {
    const store = await freshEmbeddedStore();
    using production = await lock(store, ["production"]);
    using staging = await lock(store, ["staging"]);
    production.note([{ name: "production", port: 8080 }]);
    staging.note([{ name: "staging", port: 8081 }]);
    await expect(lock(store, ["production", "staging", "messages"])).rejects.toThrow(
      `Process ${process.pid} already runs production (port 8080), staging (port 8081) with the data in ${store.dataDir}.`,
    );
    (await lock(store, ["messages"]))[Symbol.dispose]();
  });

  test("of a stopping process make the next process wait", async () => {
    const store = await freshEmbeddedStore();
    const stopping = await lock(store, ["production"]);
    stopping.note([{ name: "production", port: 8080 }]);
    stopping.note([]);
    const warnings: string[] = [];
    const waiting = lock(store, ["production"], warnings);
    while (warnings.length === 0) await Bun.sleep(10);
    expect(warnings).toEqual(["another process is still starting or stopping this service; waiting"]);
    expect(Bun.peek.status(waiting)).toBe("pending");
    stopping[Symbol.dispose]();
    (await waiting)[Symbol.dispose]();
  });

  test("do not depend on the text that is written beside them", async () => {
    const store = await freshEmbeddedStore();
    for (const text of ["process 1, port 8080\n", "", "nonsense"]) {
      writeFileSync(join(store.dataDir, "serving-production.txt"), text);
      (await lock(store, ["production"]))[Symbol.dispose]();
    }
    // Imitates the file that a killed process leaves behind, before the next process has replaced it.
    writeFileSync(join(store.dataDir, "serving-production.txt"), "process 1, port 8080\n");
    const looking = lockExclusively(join(store.dataDir, "serving-production.lock"));
    const waiting = lock(store, ["production"]);
    looking?.[Symbol.dispose]();
    (await waiting)[Symbol.dispose]();
  });

  test("that cannot be created cause a single warning", async () => {
    const store = await freshEmbeddedStore();
    for (const name of ["production", "staging"]) mkdirSync(join(store.dataDir, `serving-${name}.lock`));
    const warnings: string[] = [];
    (await lock(store, ["production", "staging"], warnings))[Symbol.dispose]();
    expect(warnings).toEqual([
      "this data folder could not be locked; make sure that no other process uses the folder",
    ]);
  });

  test("need no space on the disk", async () => {
    const { dataDir } = await freshEmbeddedStore();
    const script = `
      import { lockExclusively } from "./src/storage/exclusive-lock.ts";
      const [first, second] = [1, 2].map(() => lockExclusively("${dataDir}/serving-production.lock"));
      console.log(first !== undefined, second);`;
    // `ulimit -f 0` prevents files from growing, so writes fail as on a full disk.
    const shell = `trap "" XFSZ; ulimit -f 0; exec "$@"`;
    const command = ["bash", "-c", shell, "bash", process.execPath, "-e", script];
    const child = Bun.spawn(command, { stdout: "pipe", stderr: "pipe" });
    expect(await outcomeOf(child)).toEqual({ code: 0, out: "true undefined\n", err: "" });
  });
});
