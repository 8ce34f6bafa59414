import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { INT64_MAX } from "exact-json/int64";
import type { Flags } from "../../src/config/settings.ts";
import { type Environment, SERVICE_NAMES } from "../../src/context.ts";
import type { Database } from "../../src/storage/database.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { noRows, type Statement, statement } from "../../src/storage/statement.ts";
import { DATABASE_NAMES } from "../../src/storage/store-files.ts";
import { selectDeliveryPage } from "../../src/webhooks/delivery-store.ts";
import { createTestApp, openPort, type TestApp } from "../test-app.ts";
import { until } from "../until.ts";
import { type Reply, replyOf, send } from "../wire/send.ts";
import { type Described, operationsOf } from "./document.ts";

type ServiceName = Described["service"];

/** A request for an operation. Its target is relative to the service's base address. */
export interface Shot {
  readonly target: string;
  readonly body?: string;
  /** The API key to send. The default may read and write. */
  readonly key?: string;
  readonly isAnonymous?: boolean;
  readonly headers?: Record<string, string>;
}

/**
 * The number of requests that an API key may send per day. No test sends that many. The key `spent` has already used all of them.
 */
const RATE_LIMIT = 6_000;

/** The whole program on real ports, with a real store, and with a clock that the test controls. */
export interface Stage {
  readonly app: TestApp;
  readonly addressOf: Readonly<Record<ServiceName, string>>;
  readonly keys: Readonly<Record<ServiceName, { write: string; read: string; spent: string }>>;
  operations(service: ServiceName): Promise<readonly Described[]>;
  description(service: ServiceName): Promise<string>;
  send(operation: Pick<Described, "service" | "method">, shot: Shot): Promise<Reply>;
  /** Sends a request without using the network. The service has begun to process it when this function returns. */
  begin(operation: Pick<Described, "service" | "method">, shot: Shot): Promise<Reply>;
  /** Makes every SQL statement of a service fail while `work` runs, by renaming its tables. */
  withoutTables<Result>(service: ServiceName, work: () => Promise<Result>): Promise<Result>;
  /** Creates an API key whose creation time cannot be represented as a date. */
  makeTimelessKey(environment: Environment): Promise<string>;
  /** Replaces all events in the event log with two new ones. */
  renewEvents(service: ServiceName): Promise<void>;
  /** Stores a message whose delivery has failed. Resolves to the message's identifier. */
  addFailedMessage(): Promise<string>;
  /** Resolves once every delivery of a webhook has been attempted. */
  tried(service: ServiceName, webhookId: number): Promise<void>;
  close(): Promise<void>;
}

const EVENT = "type, created_at, actor_kind, actor_id, actor_name, request_id, pet_id, data";
const renewedEvents = [
  ...["created", "deleted"].map(
    (how) =>
      `INSERT INTO event (${EVENT}) VALUES ('pet.${how}', 0, 'operator', '', '', '', 1, '{"name":"x","categoryId":1}')`,
  ),
  `INSERT INTO setting (name, value) SELECT 'removed events', CAST(max(id) - 2 AS TEXT) FROM event WHERE id > 0
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  "DELETE FROM event WHERE id < (SELECT max(id) - 1 FROM event)",
];

export async function openStage(store: Flags): Promise<Stage> {
  const dataDir = await mkdtemp(join(tmpdir(), "petstore-"));
  const app = await createTestApp(
    // The receiver refuses every delivery, so a message does not change between two requests.
    { deliver: async () => ({ outcome: "refused" }) },
    {
      ...{ dataDir, rateLimit: `${RATE_LIMIT}/86400s` },
      ...{ productionPort: "0", stagingPort: "0", messagesPort: "0" },
      ...store,
    },
  );
  const listeners = SERVICE_NAMES.map((name) => openPort(app, name));
  const addressOf = Object.fromEntries(
    listeners.map(({ name, address }) => [name, address]),
  ) as Stage["addressOf"];
  const production = await makeKeys(app, "production");
  const keys = { production, staging: await makeKeys(app, "staging"), messages: production };
  const databases: Record<string, Database> = {};
  for (const name of DATABASE_NAMES) databases[name] = await openDatabase(name, app.config);

  const withKey = (service: ServiceName, shot: Shot) => ({
    ...shot,
    ...(shot.isAnonymous ? {} : { key: shot.key ?? keys[service].write }),
  });
  const documentOf = async (service: ServiceName) =>
    (await send("GET", `${new URL(addressOf[service]).origin}/openapi.json`)).body;
  return {
    app,
    addressOf,
    keys,
    operations: async (service) => operationsOf(await documentOf(service), service),
    description: async (service) => JSON.parse(await documentOf(service)).info.description,
    send: ({ service, method }, shot) =>
      send(method, addressOf[service] + shot.target, withKey(service, shot)),
    async begin({ service, method }, shot) {
      const path = new URL(addressOf[service]).pathname.replace(/\/$/, "") + shot.target;
      const response = await app.send(service, `${method} ${path}`, withKey(service, shot));
      return replyOf(response.status, response.headers, await response.text());
    },
    async withoutTables(service, work) {
      const database = databases[service];
      if (database === undefined) throw new Error(`There is no ${service}.`);
      return withoutTables(database, app.config.databaseUrl === undefined ? "main" : service, work);
    },
    async makeTimelessKey(environment) {
      const { id, token } = await app.makeKey({ environment });
      const spoil: Statement<[id: string]> = statement(
        "UPDATE api_key SET created_at = 9000000000000000 WHERE id = $1",
      );
      await databases["accounts"]?.run(spoil, [id]);
      return token;
    },
    async renewEvents(service) {
      const database = databases[service];
      if (database === undefined) throw new Error(`There is no ${service}.`);
      // The statements run in one transaction. Otherwise, an event that is inserted at the same time could get the same identifier.
      await database.write(async (query) => {
        for (const sql of renewedEvents) await query({ sql, decode: noRows }, []);
      });
    },
    async addFailedMessage() {
      const id = `msg_${crypto.randomUUID()}`;
      const row = `'${id}', 'x', 'production', 'failed', 1, 0`;
      await databases["messages"]?.run(
        statement<[], undefined, string>(
          `INSERT INTO message (id, message, environment, status, attempts, created_at) VALUES (${row})`,
        ),
        [],
      );
      return id;
    },
    tried: (service, webhookId) =>
      until(async () => {
        const rows = await databases[service]?.read(selectDeliveryPage, [webhookId, INT64_MAX, 100]);
        return rows?.every(({ attempt }) => attempt !== undefined) ?? false;
      }),
    async close() {
      for (const listener of listeners) await listener.stop();
      for (const database of Object.values(databases)) await database.close();
      await app.close();
    },
  };
}

async function makeKeys(app: TestApp, environment: "production" | "staging") {
  const token = async (access: "read" | "read-write") => (await app.makeKey({ environment, access })).token;
  const keys = {
    write: await token("read-write"),
    // The API key belongs to a viewer, so that operations for owners refuse it as well.
    read: (await app.makeKey({ environment, access: "read", role: "viewer" })).token,
    spent: await token("read-write"),
  };
  for (let count = 0; count < RATE_LIMIT; count++)
    await app.send(environment, "GET /v1/pets?limit=0", { key: keys.spent });
  return keys;
}

/** @param schema the database schema, which must precede the names of tables, because database sessions have no default schema */
async function withoutTables<Result>(
  database: Database,
  schema: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const tables = (await database.wholeTables.tables()).map(({ name }) => name);
  const rename = (from: string, to: string) =>
    database.write(async (query) => {
      for (const table of tables)
        await query(statement(`ALTER TABLE ${schema}."${table}${from}" RENAME TO "${table}${to}"`), []);
    });
  await rename("", "_away");
  try {
    return await work();
  } finally {
    await rename("_away", "");
  }
}
