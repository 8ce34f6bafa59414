import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "../../src/config.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { DATABASE_NAMES } from "../../src/storage/store-files.ts";
import { petstore } from "./process.ts";
import { send } from "./send.ts";
import { makeDocuments, makeKey, startServer } from "./server.ts";
import { environment, freshEmbeddedStore, freshPostgresStore, type Store } from "./stores.ts";

// Each check of `petstore doctor` must report the real state of the store, and must give advice that works.

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
  expect(bad.filter(({ advice }) => !advice)).toEqual([]);
  return { code, findings, bad };
}

function runAt(dataDir: string, name: string, sql: string): void {
  const database = new Database(join(dataDir, `${name}.sqlite`));
  database.run(sql);
  database.close();
}

async function usedStore(): Promise<Store> {
  const store = await freshEmbeddedStore();
  for (const name of DATABASE_NAMES) {
    const database = await openDatabase(name, loadConfig({}, environment(store)));
    await database.write(() => true);
    await database.close();
  }
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

  test("finds SQLite on a platform that removes an instance's files", async () => {
    const store = await freshEmbeddedStore();
    const hosted = (variable: string) =>
      runDoctor({ ...store, settings: { ...store.settings, [variable]: "x" } });
    for (const [variable, platform] of [
      ["K_SERVICE", "Cloud Run"],
      ["DYNO", "Heroku"],
    ] as const)
      expect((await hosted(variable)).bad).toMatchObject([
        { check: "platform", state: "warn", message: expect.stringContaining(platform) },
      ]);
  });

  test("finds backups that are late, missing or dated by a wrong clock if the service should make them", async () => {
    const store = await usedStore();
    const folder = join(store.dataDir, "backups");
    const backups = async () =>
      (await runDoctor(store, "--backup-dir", folder)).findings.find(({ check }) => check === "backups");
    expect(await backups()).toMatchObject({ state: "warn", message: `there is no backup in ${folder}` });
    mkdirSync(folder);
    writeFileSync(join(folder, "petstore-20260101T120000.000Z.backup"), "");
    expect(await backups()).toMatchObject({ state: "warn", message: expect.stringContaining("minutes old") });
    expect((await petstore(store, ["backup", "--keep", "2", folder])).code).toBe(0);
    expect(await backups()).toMatchObject({ state: "ok" });
    writeFileSync(join(folder, "petstore-29990101T120000.000Z.backup"), "");
    const { bad } = await runDoctor(store, "--backup-dir", folder);
    expect(bad).toMatchObject([
      {
        check: "backups",
        state: "warn",
        message: `1 backup in ${folder} is dated in the future: the clock was ahead when the backup was made, or is behind now`,
      },
    ]);
    const { findings } = await runDoctor(await usedStore());
    expect(findings.map(({ check }) => check)).not.toContain("backups");
  });

  test("prints a line for each check: its state, its name and the result", async () => {
    const { out, err } = await petstore(await freshEmbeddedStore(), ["doctor"]);
    expect(err).toBe("");
    for (const line of out.trim().split("\n")) expect(line).toMatch(/^(ok|warn|fail) +[a-z][\w ,]*: .+/);
  });

  test("reports the ports of a running service as used by petstore and ready, without disturbing it", async () => {
    const store = await freshEmbeddedStore();
    const server = await startServer({ store });
    const port = (address: string) => new URL(address).port;
    const flags = [
      ...["--production-port", port(server.production), "--staging-port", port(server.staging)],
      ...["--messages-port", port(server.messages), "--metrics-port", port(server.metrics)],
    ];
    await makeDocuments(server);
    const { code, findings } = await runDoctor(store, ...flags);
    const ports = findings.filter(({ check }) => check.startsWith("port"));
    expect(ports.map(({ message }) => message)).toEqual(
      Array(4).fill("petstore is running at this port, and is ready to answer requests"),
    );
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
    const advice = expect.stringContaining("--staging-port");
    expect([code, bad]).toMatchObject([1, [{ check: `port ${port}, staging`, state: "fail", advice }]]);
  });

  /** Ways to damage a store that has been in use. Each function returns the result that `petstore doctor` must then report. */
  const spoilt: readonly [what: string, spoil: (dataDir: string) => Partial<CheckResult>][] = [
    [
      "warns of a folder that other users can read",
      (dataDir) => {
        chmodSync(dataDir, 0o755);
        return { check: "permissions", state: "warn", advice: `Run: chmod 700 ${dataDir}` };
      },
    ],
    [
      "fails on a database that is damaged or foreign, and names it",
      (dataDir) => {
        writeFileSync(join(dataDir, "production.sqlite"), "this is not a database, by any measure");
        return { check: "database production", state: "fail" };
      },
    ],
    [
      "fails on a database of a newer program",
      (dataDir) => {
        runAt(dataDir, "accounts", "INSERT INTO migration (number, name) VALUES (99, 'from-the-future')");
        return {
          check: "database accounts",
          state: "fail",
          message: expect.stringContaining("newer version of petstore"),
        };
      },
    ],
    [
      "fails on a clock that is behind what has been written",
      (dataDir) => {
        const inAnHour = Date.now() / 1000 + 3600;
        utimesSync(join(dataDir, "production.sqlite"), inAnHour, inAnHour);
        return { check: "clock", state: "fail", advice: expect.stringContaining("NTP") };
      },
    ],
  ];
  test.each(spoilt)("%s", async (_what, spoil) => {
    const store = await usedStore();
    const found = spoil(store.dataDir);
    expect(await runDoctor(store)).toMatchObject({ code: found.state === "fail" ? 1 : 0, bad: [found] });
  });

  test("fails on contradictory settings with the service's own message", async () => {
    const found = { check: "settings", message: expect.stringContaining("--processes") };
    const outcome = await runDoctor(await freshEmbeddedStore(), "--processes", "4");
    expect(outcome).toMatchObject({ code: 1, bad: [found] });
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

  test("--accept-loss says what is lost and makes the store usable; without a loss it changes nothing", async () => {
    const store = await usedStore();
    const sound = await petstore(store, ["doctor", "--accept-loss"]);
    expect(sound).toMatchObject({
      code: 0,
      err: "The files are in order, so nothing was changed.\n",
    });
    const production = join(store.dataDir, "production.sqlite");
    writeFileSync(production, "");
    const { code, err } = await petstore(store, ["serve"]);
    const empty =
      /^petstore: \S+production\.sqlite is empty \(0 bytes\)\..*petstore doctor --accept-loss.*\n$/;
    expect([code, err]).toEqual([1, expect.stringMatching(empty)]);
    const { out } = await petstore(store, ["doctor", "--accept-loss", "--json"]);
    const loss = expect.stringContaining("Gone: every animal, category and order of production.");
    expect(JSON.parse(out)).toMatchObject([{ name: "production", loss }]);
    expect(await runDoctor(store)).toMatchObject({ code: 0, bad: [] });
    const server = await startServer({ store });
    await server.stop();
  });

  test("on PostgreSQL compares the clocks; a server that cannot be reached is one failure, without the password", async () => {
    const store = await freshPostgresStore();
    const { code, findings } = await runDoctor(store);
    const checks = findings.map(({ check }) => check);
    expect([code, checks.includes("data folder")]).toEqual([0, false]);
    expect(findings.find(({ check }) => check === "clock")?.message).toContain(
      "differs from the database server's clock by at most",
    );
    expect(findings).toContainEqual(expect.objectContaining({ check: "runtime", state: "ok" }));
    const named = await petstore({ ...store, settings: {} }, [
      ...["doctor", "--database-url", "postgres://petstore@db.invalid/x"],
    ]);
    expect(named.out).toMatch(/^warn {2}runtime: .*Set MIMALLOC_PURGE_DELAY=10000 and BUN_CONFIG_DNS/m);
    const away = ["--database-url", "postgres://petstore:pa55word@127.0.0.1:1/x"];
    const { code: failed, out, err } = await petstore({ ...store, settings: {} }, ["doctor", ...away]);
    const failures = out.split("\n").filter((line) => line.startsWith("fail"));
    expect([failed, failures]).toEqual([
      1,
      [expect.stringMatching(/^fail {2}database server: .*user and password/)],
    ]);
    expect(out + err).not.toContain("pa55word");
  });
});
