import { Database } from "bun:sqlite";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type BrowserSession, openBrowserSession, signUp } from "../../wire/browser-session.ts";
import { followEvents } from "../../wire/event-source.ts";
import { type ServerProcess, startProcess } from "../../wire/process.ts";
import { type Reply, send } from "../../wire/send.ts";
import { makeKey } from "../../wire/server.ts";
import { freshEmbeddedStore, type Store } from "../../wire/stores.ts";
import { type CountedFault, createCrashDisk } from "./disk-control.ts";

// Makes operations on the files of one database fail while a fixed sequence of requests runs, as SQLite's own tests do: in the
// first run the first operation of a kind, in the next run the second one, and so on. The kinds are read, open, lock, write and
// sync. After a failed commit to staging or messages, the service closes that database. After a failed commit to any other
// database, the process ends.

export const DATABASES = ["production", "staging", "messages", "accounts"] as const;
type DatabaseName = (typeof DATABASES)[number];

type Fault = Omit<CountedFault, "file" | "number">;

const SERVICES = ["production", "staging", "messages"] as const;

interface Step {
  readonly title: string;
  readonly expected: number;
  readonly send: () => Promise<Reply>;
  /** The name of the resource that the request creates. If the request fails, it is sent again once the disk works again. */
  readonly stores?: string;
}

/** A server on a disk whose operations can fail, and the changes that the server has acknowledged. */
export interface ReadFaultBench {
  /** @returns the problems found, one line each, and the number of runs in which a file operation failed */
  sweep(database: DatabaseName, fault: Fault, every: number, logBytes?: number): Promise<Swept>;
  /**
   * Makes operations on any file fail while a server starts, as `sweep` does while requests run. If the start fails, its error
   * message must be a single line.
   *
   * @returns the problems found
   */
  sweepStart(fault: Fault, every: number): Promise<Swept>;
  /**
   * Kills the server.
   *
   * @returns the acknowledged resources that are not stored exactly once
   */
  lost(): Promise<readonly string[]>;
  close(): Promise<void>;
}

interface Swept {
  readonly problems: readonly string[];
  readonly passes: number;
  readonly closed: number;
}

export async function openReadFaultBench(): Promise<ReadFaultBench> {
  const store = await freshEmbeddedStore();
  const keys = {
    production: await makeKey(store),
    staging: await makeKey(store, { environment: "staging" }),
  };
  const disk = createCrashDisk(store);
  let server = await startProcess({ store, env: disk.mount() });
  let browser = await signUp(server, "otter@example.test");
  let rehearsing = await signUp(server, "stoat@example.test", "staging");
  const acknowledged = new Map<string, DatabaseName>();
  let passes = 0;
  let closed = 0;

  async function pass(database: DatabaseName, fault: CountedFault): Promise<readonly string[]> {
    passes++;
    const steps = (of = database) => scriptOf(of, { server, keys, browser, tag: `${of} ${passes}` });
    const isWrite = fault.call === "pwrite" || fault.call === "fsync";
    const problems: string[] = [];
    const report = (text: string) =>
      problems.push(`${database}, ${fault.call} ${fault.number}${fault.goesOn ? " and on" : ""}: ${text}`);
    const follow = () => followEvents(`${server.staging}/events`, { key: keys.staging });
    const stream = isWrite && database === "staging" ? await follow() : undefined;
    disk.failCall(fault);
    const repeated = new Set<string>();
    const refused: string[] = [];
    let hasFailed = false;
    for (const step of steps()) {
      const reply = await step.send().catch(() => undefined);
      if (reply?.status === step.expected) acknowledge(step);
      else {
        hasFailed = true;
        if (reply === undefined ? !isWrite : !isHonest(reply))
          report(`${step.title}: ${reply?.status} ${reply?.body}`);
        if (step.stores === undefined) continue;
        repeated.add(step.title);
        if (reply?.body.includes("is closed")) refused.push(step.stores);
      }
    }
    const isStillFailing = fault.goesOn && hasFailed;
    if (isStillFailing) {
      const states = await readiness(server);
      const affected = SERVICES.filter((service) => database === "accounts" || service === database);
      for (const service of affected)
        if (states[service] !== 503) report(`${service} is ready while its data cannot be read`);
    }
    disk.failCall(undefined);
    if (isWrite && (await isClosed(database))) {
      closed++;
      // The event stream must end when the database fails. If it stayed open, its reader would think that there are no new events.
      while ((await stream?.next()) !== undefined);
      await restart(database, () => SERVICES.filter((one) => one !== database).flatMap(steps), report);
    }
    stream?.close();
    for (const text of refused)
      if (countStored(store, database, text) > 0) report(`${text} is stored though it was refused`);
    for (const step of steps().filter(({ title }) => repeated.has(title))) {
      // The console creates API keys without an Idempotency-Key, so a repeated request could create a second key. The test
      // therefore first checks whether the key already exists, as a person would.
      if (database === "accounts" && countStored(store, database, step.stores ?? "") > 0) continue;
      const reply = await step.send();
      if (reply.status === step.expected) acknowledge(step);
      else report(`${step.title}, again, once reads succeed: ${reply.status} ${reply.body}`);
    }
    for (const [service, status] of Object.entries(await readiness(server)))
      if (status !== 200) report(`${service} is not ready although reads succeed`);
    return problems;
  }

  /** Returns true if the service that uses this database has been closed, or its process has ended. */
  const isClosed = (database: DatabaseName) =>
    readiness(server).then(
      (states) => states[database === "accounts" ? "production" : database] !== 200,
      () => true,
    );

  /** Restarts the server after a failed commit. If only one service was closed, first checks that the others still answer. */
  async function restart(database: DatabaseName, others: () => Step[], report: (text: string) => void) {
    const isAlone = database === "staging" || database === "messages";
    for (const step of isAlone ? others() : []) {
      const { status, body } = await step.send();
      if (status === step.expected) acknowledge(step);
      else report(`beside it, ${step.title}: ${status} ${body}`);
    }
    for (const path of isAlone ? ["/overview", "/developers", "/audit"] : [])
      if ((await browser.call(`GET ${path}`)).status !== 200) report(`the console's ${path} is missing`);
    if (isAlone && (await rehearsing.call("GET /session")).status !== 200)
      report("staging's console has no session");
    const code = await (isAlone ? server.stop() : server.exited);
    if (code !== (isAlone ? 0 : 1)) report(`the process ended with ${code}`);
    const lines = server.log().match(/"level":"error".*/g) ?? [];
    if (lines.length !== 1) report(`the log has ${lines.join("\n")}`);
    if (!existsSync(join(store.dataDir, `${database}.sqlite-wal`))) report("its log was written back");
    server = await startProcess({ store, env: disk.mount() });
    browser = openBrowserSession(server, "production", browser.cookie());
    rehearsing = openBrowserSession(server, "staging", rehearsing.cookie());
  }

  function acknowledge({ stores }: Step): void {
    if (stores === undefined) return;
    const [database] = stores.split(" ");
    const name = DATABASES.find((one) => one === database);
    if (name !== undefined) acknowledged.set(stores, name);
  }

  return {
    async sweep(database, fault, every, logBytes) {
      const problems: string[] = [];
      let count = 0;
      closed = 0;
      for (let number = 1; ; number += every) {
        forgetPages(store, database, logBytes);
        problems.push(...(await pass(database, { ...fault, file: database, number })));
        if (disk.failedCalls() === 0) return { problems, passes: count, closed };
        count++;
      }
    },
    async sweepStart(fault, every) {
      await server.kill();
      const problems: string[] = [];
      let count = 0;
      for (let number = 1; ; number += every) {
        const env = disk.mount();
        disk.failCall({ ...fault, file: "", number });
        const refusal = await refusalOf(store, env);
        if (refusal !== undefined && !/^petstore: .+\n$/.test(refusal))
          problems.push(`start, ${fault.call} ${number}: ${refusal}`);
        if (disk.failedCalls() === 0) return { problems, passes: count, closed };
        count++;
      }
    },
    async lost() {
      await server.kill();
      return [...acknowledged].flatMap(([text, database]) => {
        const count = countStored(store, database, text);
        return count === 1 ? [] : [`${text} is stored ${count} times`];
      });
    },
    async close() {
      await server.kill();
      disk.remove();
      rmSync(store.dataDir, { recursive: true, force: true });
    },
  };
}

/** Starts a server. Returns what it writes to standard error if the start fails, or undefined if it starts. */
async function refusalOf(store: Store, env: Readonly<Record<string, string>>): Promise<string | undefined> {
  try {
    await (await startProcess({ store, env })).kill();
    return undefined;
  } catch (error) {
    return String(error).replace(/^.*?the service ended: /s, "");
  }
}

interface ScriptOptions {
  readonly server: ServerProcess;
  readonly keys: Readonly<Record<"production" | "staging", string>>;
  readonly browser: BrowserSession;
  /** A text that begins with the database's name and is different in each run. */
  readonly tag: string;
}

function scriptOf(database: DatabaseName, options: ScriptOptions): readonly Step[] {
  if (database === "accounts") return consoleScript(options);
  if (database === "messages") return messagesScript(options);
  return storeScript(database, options);
}

function storeScript(database: "production" | "staging", { server, keys, tag }: ScriptOptions): Step[] {
  const key = keys[database];
  const get = (path: string, expected = 200): Step => ({
    title: `GET ${path}`,
    expected,
    send: () => send("GET", server[database] + path, { key }),
  });
  const add = (name: string): Step => ({
    title: `add ${name}`,
    expected: 201,
    stores: name,
    send: () =>
      send("POST", `${server[database]}/pets`, {
        key,
        headers: { "Idempotency-Key": name.replaceAll(" ", "-") },
        body: JSON.stringify({ name, categoryId: 1 }),
      }),
  });
  return [
    get("/pets?limit=2"),
    add(`${tag} a`),
    get("/pets?status=sold"),
    add(`${tag} b`),
    get("/pets/9007199254740993", 404),
    get("/store/orders"),
    get("/categories"),
  ];
}

function messagesScript({ server, keys, tag }: ScriptOptions): Step[] {
  const key = keys.production;
  const submit = (message: string): Step => ({
    title: `submit ${message}`,
    expected: 202,
    stores: message,
    send: () =>
      send("POST", `${server.messages}/messages`, {
        key,
        headers: { "Idempotency-Key": message.replaceAll(" ", "-") },
        body: JSON.stringify({ message }),
      }),
  });
  const find: Step = {
    title: "GET /messages/{id}",
    expected: 404,
    send: () => send("GET", `${server.messages}/messages/msg_none`, { key }),
  };
  return [find, submit(`${tag} a`), find, submit(`${tag} b`)];
}

/**
 * The requests use a browser session instead of an API key. Each request of a session reads the accounts database, whereas the
 * lookup of an API key would be cached.
 */
function consoleScript({ server, browser, tag }: ScriptOptions): Step[] {
  const get = (path: string): Step => ({
    title: `GET ${path}`,
    expected: 200,
    send: () => browser.call(`GET ${path}`),
  });
  const makeKeyNamed = (name: string): Step => ({
    title: "make a key",
    expected: 201,
    stores: name,
    send: () => browser.call("POST /keys", { name }),
  });
  const stranger: Step = {
    title: "an unknown key",
    expected: 401,
    send: () => send("GET", `${server.production}/pets`, { key: UNKNOWN_KEY }),
  };
  return [get("/pets"), makeKeyNamed(tag), get("/keys"), stranger, get("/session")];
}

const UNKNOWN_KEY = "x";

/** Returns true if the response is a valid 503 or 500 error of the API. */
function isHonest({ status, body }: Reply): boolean {
  if (status !== 503 && status !== 500) return false;
  const code = status === 503 ? "unavailable" : "internal_error";
  const { message, ...rest } = JSON.parse(body);
  return typeof message === "string" && JSON.stringify(rest) === JSON.stringify({ code, status });
}

async function readiness(server: ServerProcess): Promise<Readonly<Record<string, number>>> {
  const states = SERVICES.map(async (service) => {
    const { status } = await send("GET", `${new URL(server[service]).origin}/readyz`);
    return [service, status] as const;
  });
  return Object.fromEntries(await Promise.all(states));
}

/**
 * Commits a change in another process, so that all other connections discard their cached pages.
 *
 * @param bytes the size of the commit
 */
export function forgetPages(store: Store, database: DatabaseName, bytes = 16): void {
  withDatabase(store, database, (connection) => {
    connection.run("PRAGMA wal_autocheckpoint = 0");
    connection.run("UPDATE migration SET applied_at = hex(randomblob(?))", [bytes / 2]);
  });
}

const TEXTS = {
  production: "SELECT count(*) AS count FROM pet WHERE name = ?",
  staging: "SELECT count(*) AS count FROM pet WHERE name = ?",
  messages: "SELECT count(*) AS count FROM message WHERE message = ?",
  accounts: "SELECT count(*) AS count FROM api_key WHERE name = ?",
} as const;

function countStored(store: Store, database: DatabaseName, text: string): number {
  return withDatabase(
    store,
    database,
    (connection) => connection.query<{ count: number }, [string]>(TEXTS[database]).get(text)?.count ?? 0,
  );
}

function withDatabase<Result>(
  { dataDir }: Store,
  database: DatabaseName,
  work: (connection: Database) => Result,
): Result {
  const connection = new Database(join(dataDir, `${database}.sqlite`), { readwrite: true });
  try {
    connection.run("PRAGMA busy_timeout = 5000");
    return work(connection);
  } finally {
    connection.close();
  }
}
