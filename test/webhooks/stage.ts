import type { Flags } from "../../src/config/settings.ts";
import { parseJson } from "../../src/contract/json/json.ts";
import type { Database } from "../../src/storage/database.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { numberColumn, optional, singleRow, textColumn } from "../../src/storage/row.ts";
import { noRows, type Row, type SqlValue } from "../../src/storage/statement.ts";
import { createTestApp, type TestApp } from "../test-app.ts";
import { until } from "../until.ts";

/** A whole service with a test clock, and access to its production database. */
export interface Stage {
  readonly app: TestApp;
  readonly database: Database;
  readonly key: string;
  /** Creates a webhook for the given types of events, or for all types if none are given. */
  addWebhook(url: string, types?: readonly string[]): Promise<{ id: number; secret: string }>;
  /** Sends a request with the operator's API key. Resolves to the JSON of a 2xx response. */
  call(request: string, body?: object): Promise<Readonly<Record<string, unknown>>>;
  rows<Result>(
    sql: string,
    decode: (row: Row) => Result,
    values?: readonly SqlValue[],
  ): Promise<readonly Result[]>;
  run(sql: string, ...values: SqlValue[]): Promise<void>;
  /** Returns true if each event has its deliveries, and none of the deliveries is waiting. */
  isSettled(): Promise<boolean>;
  /** Number of deliveries, keyed by status. */
  statuses(): Promise<Readonly<Record<string, number>>>;
  /**
   * Advances the clock until `condition` holds and no delivery is being attempted. During an attempt, the clock may advance by a
   * second, but not so far that the attempt expires.
   */
  advanceUntil(condition: () => boolean | Promise<boolean>): Promise<void>;
  close(): Promise<void>;
}

const LOOK = `SELECT COALESCE(SUM(attempts), 0) - (SELECT COUNT(*) FROM delivery_attempt) AS under_way,
    COUNT(CASE WHEN status = 'queued' THEN 1 END) AS queued,
    MIN(CASE WHEN status = 'queued' THEN due_at END) AS due_at FROM delivery`;

/**
 * Counts unfinished work: webhooks that lack deliveries for some events, and animals and categories whose queued deliveries have no
 * due time.
 */
const UNMADE = `SELECT (SELECT COUNT(*) FROM webhook WHERE status = 'enabled' AND last_event_id < (SELECT MAX(id) FROM event))
    + (SELECT COUNT(*) FROM (SELECT subject FROM delivery WHERE status = 'queued'
        GROUP BY webhook_id, subject HAVING MAX(due_at) IS NULL) AS blocked) AS unmade`;

/** @param processes the number of processes that serve the store */
export async function openStage(given: Flags, processes = 1): Promise<Stage> {
  const flags = { webhooksPrivate: "allow", ...given };
  const app = await createTestApp({}, flags);
  const others: TestApp[] = [];
  while (others.length < processes - 1)
    others.push(await createTestApp({ clock: app.clock }, { ...flags, dataDir: app.config.dataDir }));
  const database = await openDatabase("production", app.config);
  const { token: key } = await app.makeKey();

  const rows: Stage["rows"] = async (sql, decode, values = []) => database.read({ sql, decode }, values);
  const run: Stage["run"] = async (sql, ...values) =>
    void (await database.run({ sql, decode: noRows }, values));

  const call: Stage["call"] = async (request, body) => {
    const reply = await app.send("production", request.replace(" ", " /v1"), {
      key,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!reply.ok) throw new Error(`${request}: ${reply.status} ${await reply.text()}`);
    return Object(parseJson((await reply.text()) || "{}"));
  };
  const look = async () =>
    singleRow(
      await rows(LOOK, (row) => ({
        underWay: Number(row["under_way"]),
        queued: numberColumn("queued")(row),
        dueAt: optional(numberColumn)("due_at")(row),
      })),
    );
  const isMade = async () => singleRow(await rows(UNMADE, (row) => Number(row["unmade"]))) === 0;

  return {
    app,
    database,
    key,
    rows,
    run,
    async addWebhook(url, types) {
      const webhook = await call("POST /webhooks", { url, ...(types && { types }) });
      return { id: Number(webhook["id"]), secret: String(webhook["secret"]) };
    },
    call,
    async statuses() {
      const counts = await rows("SELECT status, COUNT(*) AS count FROM delivery GROUP BY status", (row) => [
        textColumn("status")(row),
        numberColumn("count")(row),
      ]);
      return Object.fromEntries(counts);
    },
    isSettled: async () => (await isMade()) && (await look()).queued === 0,
    async advanceUntil(condition) {
      const untilQuiet = () => until(async () => (await look()).underWay === 0);
      for (let turn = 0; turn < 100_000; turn++) {
        await untilQuiet();
        // A queued delivery may begin at any moment if it is due, or if a write makes it due.
        const isAllMade = await isMade();
        const { underWay, dueAt } = await look();
        // The condition is checked only after the queue has been read. Otherwise, if an attempt ended between the two, the clock would
        // advance to the retry of a delivery that the condition was waiting for. Once the condition holds, the outcome of the delivery
        // may not be stored yet.
        if (await condition()) return untilQuiet();
        const wait = dueAt === undefined || !isAllMade ? 0 : dueAt - app.clock.now();
        if (underWay === 0) await app.clock.advance(wait > 0 ? wait : 1_000);
        await new Promise((resolve) => setImmediate(resolve));
      }
      throw new Error("It never came to that.");
    },
    async close() {
      for (const other of others) await other.close();
      await database.close();
      await app.close();
    },
  };
}
