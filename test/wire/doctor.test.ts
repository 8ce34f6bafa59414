import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "../../src/config.ts";
import { migrateAll } from "../../src/storage/open.ts";
import { petstore } from "./process.ts";
import { send } from "./send.ts";
import { makeKey, startServer } from "./server.ts";
import { environment, freshEmbeddedStore, freshPostgresStore, type Store } from "./stores.ts";

// Each check of the doctor reports the real state, and its advice can be followed.

interface CheckResult {
  readonly check: string;
  readonly state: "ok" | "warn" | "fail";
  readonly message: string;
  readonly advice?: string;
}

async function runDoctor(store: Store, ...args: readonly string[]) {
  const { code, out } = await petstore(store, ["doctor", "--json", ...args]);
  const findings: readonly CheckResult[] = JSON.parse(out);
  const bad = findings.filter(({ state }) => state !== "ok");
  // Every warning and failure has an advice.
  expect(bad.filter(({ advice }) => !advice)).toEqual([]);
  return { code, findings, bad };
}

async function usedStore(): Promise<Store> {
  const store = await freshEmbeddedStore();
  await migrateAll(loadConfig({}, environment(store)));
  return store;
}

describe("petstore doctor", () => {
  test("finds nothing wrong with a fresh folder or a used one, and changes neither", async () => {
    const fresh = await freshEmbeddedStore();
    expect(await runDoctor(fresh)).toMatchObject({ code: 0, bad: [] });
    expect(readdirSync(fresh.dataDir)).toEqual([]);
    const used = await usedStore();
    const before = readdirSync(used.dataDir);
    expect(await runDoctor(used)).toMatchObject({ code: 0, bad: [] });
    expect(readdirSync(used.dataDir)).toEqual(before);
  });

  test("finds backups that are late, missing or impossible, where the service is to make them", async () => {
    const store = await usedStore();
    const folder = join(store.dataDir, "backups");
    const backups = async () =>
      (await runDoctor(store, "--backup-dir", folder)).findings.find(({ check }) => check === "backups");
    expect(await backups()).toMatchObject({ state: "warn", message: `there is none in ${folder}` });
    mkdirSync(folder);
    writeFileSync(join(folder, "petstore-20260101T120000.000Z.backup"), "");
    expect(await backups()).toMatchObject({ state: "warn", message: expect.stringContaining("minutes old") });
    expect((await petstore(store, ["backup", "--keep", "2", folder])).code).toBe(0);
    expect(await backups()).toMatchObject({ state: "ok" });
    const { findings } = await runDoctor(await usedStore());
    expect(findings.map(({ check }) => check)).not.toContain("backups");
  });

  test("prints a line for each check: its state, its name and the result", async () => {
    const { out, err } = await petstore(await freshEmbeddedStore(), ["doctor"]);
    expect(err).toBe("");
    for (const line of out.trim().split("\n")) expect(line).toMatch(/^(ok|warn|fail) +[a-z][\w ,]*: .+/);
  });

  test("beside a running service finds its ports used by petstore and ready, and does not disturb it", async () => {
    const store = await freshEmbeddedStore();
    const server = await startServer({ store });
    const port = (address: string) => new URL(address).port;
    const flags = [
      ...["--production-port", port(server.production), "--staging-port", port(server.staging)],
      ...["--messages-port", port(server.messages), "--metrics-port", port(server.metrics)],
    ];
    const { code, findings } = await runDoctor(store, ...flags);
    const ports = findings.filter(({ check }) => check.startsWith("port"));
    expect(ports.map(({ message }) => message)).toEqual(Array(4).fill("is used by petstore, which is ready"));
    expect(code).toBe(0);
    const key = await makeKey(store);
    const body = '{"name":"x","categoryId":1}';
    expect((await send("POST", `${server.production}/pets`, { key, body })).status).toBe(201);
    await server.stop();
  });

  test("fails on a port that another program uses", async () => {
    const other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("hello") });
    const { port } = other;
    const { code, bad } = await runDoctor(await freshEmbeddedStore(), "--staging-port", String(port));
    await other.stop(true);
    expect([code, bad]).toMatchObject([
      1,
      [
        {
          check: `port ${port}, staging`,
          state: "fail",
          advice: expect.stringContaining("--staging-port"),
        },
      ],
    ]);
  });

  test("fails on settings that contradict each other, in the words of the service itself", async () => {
    const { code, bad } = await runDoctor(await freshEmbeddedStore(), "--processes", "4");
    expect([code, bad]).toMatchObject([
      1,
      [{ check: "settings", message: expect.stringContaining("--processes") }],
    ]);
  });

  test("warns of a folder that other users can read", async () => {
    const store = await usedStore();
    chmodSync(store.dataDir, 0o755);
    const { code, bad } = await runDoctor(store);
    expect([code, bad]).toMatchObject([
      0,
      [{ check: "permissions", state: "warn", advice: `Run: chmod 700 ${store.dataDir}` }],
    ]);
  });

  test("fails on a data folder that is a file, or is below one", async () => {
    const store = await freshEmbeddedStore();
    const file = join(store.dataDir, "file");
    writeFileSync(file, "");
    for (const dataDir of [file, join(file, "data")]) {
      const { code, bad } = await runDoctor(store, "--data-dir", dataDir);
      expect(code).toBe(1);
      expect(bad.map(({ check }) => check)).toEqual(["data folder"]);
    }
  });

  test("fails on a database that is damaged, foreign or newer, and names it", async () => {
    const damaged = await usedStore();
    writeFileSync(join(damaged.dataDir, "production.sqlite"), "this is not a database, by any measure");
    expect((await runDoctor(damaged)).bad).toMatchObject([{ check: "database production", state: "fail" }]);
    const newer = await usedStore();
    const accounts = new Database(join(newer.dataDir, "accounts.sqlite"));
    accounts.run("INSERT INTO migration (number, name) VALUES (99, 'from-the-future')");
    accounts.close();
    const { code, bad } = await runDoctor(newer);
    expect([code, bad]).toMatchObject([
      1,
      [{ check: "database accounts", message: expect.stringContaining("newer petstore") }],
    ]);
  });

  test("warns of migrations that will run at the next start", async () => {
    const store = await usedStore();
    const messages = new Database(join(store.dataDir, "messages.sqlite"));
    messages.run("DELETE FROM migration WHERE number = (SELECT max(number) FROM migration)");
    messages.close();
    const { code, bad } = await runDoctor(store);
    expect([code, bad]).toMatchObject([0, [{ check: "database messages", state: "warn" }]]);
  });

  test("fails on a log without its database, and on a restore that has not ended", async () => {
    const store = await usedStore();
    rmSync(join(store.dataDir, "staging.sqlite"));
    writeFileSync(join(store.dataDir, "staging.sqlite-wal"), "");
    expect((await runDoctor(store)).bad).toMatchObject([
      { check: "restore", message: expect.stringContaining("staging") },
      { check: "database staging", advice: expect.stringContaining("petstore doctor --accept-loss") },
    ]);
    const half = await freshEmbeddedStore();
    await Bun.write(join(half.dataDir, "restoring", "accounts.sqlite"), "");
    expect((await runDoctor(half)).bad).toMatchObject([{ check: "restore", state: "fail" }]);
  });

  test("--accept-loss says what is gone and makes the store usable; without a loss it changes nothing", async () => {
    const store = await usedStore();
    const sound = await petstore(store, ["doctor", "--accept-loss"]);
    expect(sound).toMatchObject({
      code: 0,
      err: "Nothing is wrong with the files, and nothing was changed.\n",
    });
    const production = join(store.dataDir, "production.sqlite");
    writeFileSync(production, "");
    const { code, err } = await petstore(store, ["serve"]);
    expect([code, err.trimEnd().split("\n")]).toEqual([
      1,
      [
        expect.stringMatching(
          /^petstore: \S+production\.sqlite is empty \(0 bytes\)\..*petstore doctor --accept-loss/,
        ),
      ],
    ]);
    const { out } = await petstore(store, ["doctor", "--accept-loss", "--json"]);
    expect(JSON.parse(out)).toMatchObject([
      {
        name: "production",
        loss: expect.stringContaining("Gone: every animal, category and order of production."),
      },
    ]);
    expect(await runDoctor(store)).toMatchObject({ code: 0, bad: [] });
    const server = await startServer({ store });
    await server.stop();
  });

  test("fails on a clock that is behind what has been written", async () => {
    const store = await usedStore();
    const inAnHour = Date.now() / 1000 + 3600;
    utimesSync(join(store.dataDir, "production.sqlite"), inAnHour, inAnHour);
    const { code, bad } = await runDoctor(store);
    expect([code, bad]).toMatchObject([1, [{ check: "clock", advice: expect.stringContaining("NTP") }]]);
  });

  test("on PostgreSQL compares the clocks; a server that cannot be reached fails, without the password", async () => {
    const store = await freshPostgresStore();
    const { code, findings } = await runDoctor(store);
    const checks = findings.map(({ check }) => check);
    expect([code, checks.includes("data folder")]).toEqual([0, false]);
    expect(findings.find(({ check }) => check === "clock")?.message).toContain(
      "agrees with the database server's",
    );
    const away = ["--database-url", "postgres://petstore:pa55word@127.0.0.1:1/x"];
    const { code: failed, out, err } = await petstore({ ...store, settings: {} }, ["doctor", ...away]);
    expect([failed, out]).toEqual([1, expect.stringContaining("fail  database production")]);
    expect(out + err).not.toContain("pa55word");
  }, 120_000);
});
