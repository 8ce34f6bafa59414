import { Database as Connection, SQLiteError } from "bun:sqlite";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import type { Environment } from "../../src/context.ts";
import { parseJson, writeJson } from "../../src/contract/json/json.ts";
import { createTestClock } from "../clock.ts";
import { type Log, readEmbeddedLog, readPostgresLog } from "../events/log.ts";
import { freshDatabaseUrl } from "../postgres/database.ts";
import { startRelay } from "../postgres/relay.ts";
import { createRandom } from "../random.ts";
import { createTestApp, type TestApp } from "../test-app.ts";

export type Engine = "sqlite" | "postgres";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const ROOT = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
const freshFolder = () => mkdtempSync(join(ROOT, "petstore-simulation-"));
export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Simulates the disk when SQLite commits. A test can make the next commit fail. */
const disk = { isFailing: false };
const { query } = Connection.prototype;
Connection.prototype.query = function (this: Connection, sql: string) {
  const statement = query.call(this, sql);
  if (sql !== "COMMIT") return statement;
  const { run } = statement;
  return Object.assign(statement, {
    run() {
      if (!disk.isFailing) return run.call(statement);
      disk.isFailing = false;
      throw Object.assign(Object.create(SQLiteError.prototype), { code: "SQLITE_IOERR_WRITE" });
    },
  });
} as typeof query;

/** Runs the service for one seed, as one process on SQLite or as two on PostgreSQL, and causes the faults. */
export async function openWorld(engine: Engine, seed: number) {
  const random = createRandom(seed);
  const databaseUrl = engine === "postgres" ? await freshDatabaseUrl() : undefined;
  const relay = databaseUrl === undefined ? undefined : startRelay(databaseUrl);
  let dataDir = freshFolder();
  let clock = createTestClock();
  let apps: TestApp[] = [];
  const jitter = random.split();
  const randomBytes = (size: number) => Uint8Array.from({ length: size }, () => jitter.between(0, 255));

  async function start(jumpMs = 0): Promise<void> {
    clock = createTestClock(clock.now() + jumpMs);
    const settings = { webhooksPrivate: "allow", historyDays: "0", ...(relay && { databaseUrl: relay.url }) };
    apps = [];
    for (let count = engine === "sqlite" ? 1 : 2; count > 0; count--)
      apps.push(await createTestApp({ clock, randomBytes }, { ...settings, dataDir }));
    // Waits until the background workers of the service have started.
    for (let turn = 0; turn < 20; turn++) await nextTurn();
  }
  await start();
  const [app] = apps;
  const keys = {
    production: await app?.makeKey(),
    staging: await app?.makeKey({ environment: "staging" }),
  };

  const world = {
    random,
    keyId: keys.production?.id,
    /** The number of milliseconds that the service has run. Setting the time of day does not change this number. */
    elapsed: 0,
    /** The number of crashes so far. If the service has crashed since a request was sent, its response is ignored. */
    life: 0,
    /**
     * True from a fault until all requests that it affects have ended. During that time, responses with a status of 500 or more are
     * correct.
     */
    isFaulty: false,
    now: () => clock.now(),
    /** True while a statement on PostgreSQL is running. */
    isBusy: () => relay?.isBusy() ?? false,
    /** Sends a request to the service. Returns undefined if the outcome is unknown. */
    async call(
      environment: Environment,
      request: string,
      body?: object,
      headers: Record<string, string> = {},
    ): Promise<Answer | undefined> {
      const born = world.life;
      const key = keys[environment]?.token ?? "";
      const sent = { key, headers, ...(body && { body: writeJson(body) }) };
      const response = await random.pick(apps as [TestApp, ...TestApp[]]).send(environment, request, sent);
      const text = await response.text();
      const { status, headers: answered } = response;
      if (born !== world.life || (status >= 500 && world.isFaulty)) return undefined;
      return { status, headers: answered, text, body: Object(parseJson(text || "{}")) };
    },
    async advance(milliseconds: number): Promise<void> {
      world.elapsed += milliseconds;
      await clock.advance(milliseconds);
    },
    /** Sets the time of day, as an operator or a time server might. */
    setClock: (milliseconds: number) => clock.set(milliseconds),
    /** Closes all connections to PostgreSQL from its side, as an operator might. */
    async endBackends(): Promise<void> {
      world.isFaulty = true;
      const sql = new SQL(databaseUrl ?? "", { max: 1 });
      await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`;
      await sql.close();
    },
    /**
     * Crashes the service, and restarts it on a copy of the folder from that moment. In half of the cases, the crash comes only
     * after a failed commit.
     *
     * @param running the requests in progress
     */
    async crash(running: Iterable<Promise<unknown>>, jumpMs: number): Promise<void> {
      world.isFaulty = true;
      disk.isFailing = random.chance(0.5);
      if (disk.isFailing) await Promise.all(running);
      for (let turns = random.between(0, 4); turns > 0; turns--) await nextTurn();
      const copy = freshFolder();
      if (engine === "sqlite") cpSync(dataDir, copy, { recursive: true });
      world.life++;
      if (engine === "postgres") await world.endBackends();
      for (const one of apps) await one.close();
      await Promise.all(running);
      world.isFaulty = false;
      disk.isFailing = false;
      rmSync(dataDir, { recursive: true });
      dataDir = copy;
      await start(jumpMs);
    },
    async reopen(running: Iterable<Promise<unknown>>, jumpMs: number): Promise<void> {
      await Promise.all(running);
      for (const one of apps) await one.close();
      await start(jumpMs);
    },
    log: (): Promise<Log> =>
      databaseUrl === undefined ? Promise.resolve(readEmbeddedLog(dataDir)) : readPostgresLog(databaseUrl),
    async close(): Promise<void> {
      for (const one of apps) await one.close();
      relay?.stop();
      rmSync(dataDir, { recursive: true });
    },
  };
  return world;
}

export type World = Awaited<ReturnType<typeof openWorld>>;

export function idsOf({ body }: Answer): readonly number[] {
  return Object.values(body).map((item) => Number(Object(item).id));
}
