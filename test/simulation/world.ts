import { Database as Connection, SQLiteError } from "bun:sqlite";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import type { Environment } from "../../src/context.ts";
import { parseJson, writeJson } from "../../src/contract/json/json.ts";
import { createTestClock, type TestClock } from "../clock.ts";
import { type Log, readEmbeddedLog, readPostgresLog } from "../events/log.ts";
import { freshDatabaseUrl } from "../postgres/database.ts";
import { createRandom } from "../random.ts";
import { createTestApp, type TestApp } from "../test-app.ts";

export type Engine = "sqlite" | "postgres";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const START = Date.UTC(2026, 10, 21, 12);
const ROOT = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
const freshFolder = () => mkdtempSync(join(ROOT, "petstore-simulation-"));
export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Stands in for the disk in the commits of the connections that are opened until `leave`: the next one may fail. */
function interceptCommits() {
  const { query } = Connection.prototype;
  const commits = {
    isFailing: false,
    leave() {
      Connection.prototype.query = query;
    },
  };
  Connection.prototype.query = function (this: Connection, sql: string) {
    const statement = query.call(this, sql);
    if (sql !== "COMMIT") return statement;
    const { run } = statement;
    return Object.assign(statement, {
      run() {
        if (!commits.isFailing) return run.call(statement);
        commits.isFailing = false;
        throw Object.assign(Object.create(SQLiteError.prototype), { code: "SQLITE_IOERR_WRITE" });
      },
    });
  } as typeof query;
  return commits;
}

/** The service of one seed: one app on SQLite, two on PostgreSQL, and the faults that happen to them. */
export async function openWorld(engine: Engine, seed: number) {
  const random = createRandom(seed);
  const databaseUrl = engine === "postgres" ? await freshDatabaseUrl() : undefined;
  let dataDir = freshFolder();
  let clock: TestClock = createTestClock(START);
  let apps: TestApp[] = [];
  /** Number of crashes: what an app answers after its crash reached nobody. */
  let life = 0;
  let isDying = false;
  let commits = { isFailing: false, leave() {} };
  const jitter = random.split();
  const randomBytes = (size: number) => Uint8Array.from({ length: size }, () => jitter.between(0, 255));

  async function start(jumpMs = 0): Promise<void> {
    clock = createTestClock(clock.now() + jumpMs);
    const flags = {
      dataDir,
      ...(databaseUrl && { databaseUrl }),
      webhooksPrivate: "allow",
      historyDays: "0",
    };
    apps = [];
    commits = interceptCommits();
    for (let count = databaseUrl === undefined ? 1 : 2; count > 0; count--)
      apps.push(await createTestApp({ clock, randomBytes }, flags));
    commits.leave();
    // The first work of the apps' workers.
    for (let turn = 0; turn < 20; turn++) await nextTurn();
  }
  await start();
  const anyApp = () => random.pick(apps as [TestApp, ...TestApp[]]);
  const [app] = apps;
  const keys = {
    production: await app?.makeKey(),
    staging: await app?.makeKey({ environment: "staging" }),
  };

  const world = {
    engine,
    random,
    keyId: keys.production?.id,
    /** Milliseconds that the service has run; the time of day may have been set. */
    elapsed: 0,
    crashes: 0,
    /** True from a fault on, during which answers of 5xx are right, until the next `calm`. */
    isFaulty: false,
    life: () => life,
    isDying: () => isDying,
    now: () => clock.now(),
    /** Sends a request; undefined if its outcome is unknown. */
    async call(
      environment: Environment,
      request: string,
      body?: object,
      headers: Record<string, string> = {},
    ): Promise<Answer | undefined> {
      const born = life;
      const key = keys[environment]?.token ?? "";
      const sent = { key, headers, ...(body && { body: writeJson(body) }) };
      const response = await anyApp().send(environment, request, sent);
      const text = await response.text();
      const { status, headers: answered } = response;
      if (born !== life || (status >= 500 && world.isFaulty)) return undefined;
      return { status, headers: answered, text, body: Object(parseJson(text || "{}")) };
    },
    async advance(milliseconds: number): Promise<void> {
      world.elapsed += milliseconds;
      await clock.advance(milliseconds);
    },
    /** Sets the time of day, as an operator or a time server would. */
    setClock: (milliseconds: number) => clock.set(milliseconds),
    /** Makes the next commit fail as a disk does. Resolves once it has. */
    async failCommit(work: () => Promise<unknown>): Promise<void> {
      world.isFaulty = true;
      commits.isFailing = true;
      await work();
    },
    /** Ends all connections to the database, as an operator may. */
    async endBackends(): Promise<void> {
      world.isFaulty = true;
      const sql = new SQL(databaseUrl ?? "", { max: 1 });
      await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`;
      await sql.close();
    },
    /** Continues with the folder as it is at this moment. @param running the requests under way */
    async crash(running: Iterable<Promise<unknown>>, jumpMs: number): Promise<void> {
      const copy = freshFolder();
      if (engine === "sqlite") cpSync(dataDir, copy, { recursive: true });
      life++;
      isDying = true;
      world.crashes++;
      if (engine === "postgres") await world.endBackends();
      for (const one of apps) await one.close();
      await Promise.all(running);
      rmSync(dataDir, { recursive: true });
      dataDir = copy;
      isDying = false;
      await start(jumpMs);
    },
    async reopen(jumpMs: number): Promise<void> {
      for (const one of apps) await one.close();
      await start(jumpMs);
    },
    log: (): Promise<Log> =>
      databaseUrl === undefined ? Promise.resolve(readEmbeddedLog(dataDir)) : readPostgresLog(databaseUrl),
    async close(): Promise<void> {
      for (const one of apps) await one.close();
      rmSync(dataDir, { recursive: true });
    },
  };
  return world;
}

export type World = Awaited<ReturnType<typeof openWorld>>;

/** The identifiers of a list. */
export function idsOf({ body }: Answer): readonly number[] {
  return Object.values(body).map((item) => Number(Object(item).id));
}
