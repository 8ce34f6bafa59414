import { Database as Connection } from "bun:sqlite";
import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { unavailable } from "../../errors.ts";
import type { ChangeSubscription, Channel, OnChange } from "../change-feed.ts";
import { type Database, NO_LOCKS, probe, type Query } from "../database.ts";
import { isDiskFull } from "../file-system.ts";
import { countMigrations, type Migration, selectJournal } from "../migrations.ts";
import { connectImmutable, createQuery, hasLog } from "./connection.ts";
import { countWith } from "./count-by.ts";
import { diskFull, isFull } from "./errors.ts";
import { createWholeTables } from "./whole-tables.ts";

const ROOM_CHECK_MS = 1_000; // interval at which free space is checked while a database is read-only

interface FullDiskOptions {
  readonly file: string;
  readonly migrations: readonly Migration[];
  readonly openFully: () => Promise<Database>;
  readonly onDiskFull?: ((error: Error) => void) | undefined;
}

/**
 * Opens a database for reading and writing. If the disk is too full, the database is opened only for reading at first. Within a
 * second after there is enough space, it is opened for writing, too.
 */
export async function openWithRoom(options: FullDiskOptions): Promise<Database> {
  const limited = hasRoom(options.file) ? undefined : await openForReading(options);
  if (limited !== undefined) return limited;
  try {
    return await options.openFully();
  } catch (error) {
    const instead = isFull(error) ? await openForReading(options) : undefined;
    if (instead === undefined) throw error;
    return instead;
  }
}

export function hasRoom(file: string): boolean {
  return !isDiskFull(dirname(file));
}

/** Opens a database only for reading. @returns undefined if the database is missing, needs a migration, or cannot be read */
async function openForReading(options: FullDiskOptions): Promise<Database | undefined> {
  const { file, migrations } = options;
  let reading: Reading | undefined;
  try {
    reading = connectForReading(file);
    const { pending } = countMigrations(await reading.query(selectJournal, []), migrations, file);
    if (pending <= 0) {
      options.onDiskFull?.(diskFull());
      return createReplaceable(reading, options);
    }
  } catch {
    // An error is ignored, because the same error is reported when the database is opened for writing.
  }
  reading?.connection.close();
  return undefined;
}

interface Reading {
  readonly connection: Connection;
  readonly query: Query;
}

/**
 * Opens a database without creating a WAL index file (-shm) on disk. If there is no log, SQLite opens the file as immutable. If
 * there is one, SQLite keeps its index in memory.
 */
function connectForReading(file: string): Reading {
  const connection = hasLog(file) ? connectAlone(file) : connectImmutable(file);
  return { connection, query: createQuery(connection, { isReading: true }) };
}

/** Opens a database with a lock that excludes all other connections. */
function connectAlone(file: string): Connection {
  const connection = new Connection(file, { create: false, readwrite: true, safeIntegers: true });
  // The exclusive mode has to be set before the first access to the file. Only then does SQLite keep the index of the write-ahead
  // log in memory.
  connection.run("PRAGMA locking_mode = EXCLUSIVE");
  connection.query("SELECT 1 FROM sqlite_schema").all();
  // The WAL index file (-shm) describes the log as an earlier process left it. If it stayed, the next start would look in the log
  // for frames that have since been moved to the database file.
  rmSync(`${file}-shm`, { force: true });
  return connection;
}

/**
 * Creates a database that uses the given connection for reads, and refuses writes. When there is enough space, the database is
 * opened fully, and everything is forwarded to it.
 */
function createReplaceable(first: Reading, { file, openFully }: FullDiskOptions): Database {
  let reading: Reading | undefined = first;
  let full: Database | undefined;
  let opening: Promise<void> | undefined;
  const { subscribe, follow } = createSubscriptions();

  async function openIfRoomy() {
    if (!hasRoom(file)) return;
    reading?.connection.close();
    reading = undefined;
    full = await openFully().catch(() => undefined);
    if (full === undefined) {
      reading = connectForReading(file);
      return;
    }
    clearInterval(checking);
    await follow(full);
  }

  const checking = setInterval(() => {
    // If the database cannot be opened for writing now, the next check of the free space tries again.
    opening ??= openIfRoomy()
      .catch(() => {})
      .finally(() => {
        opening = undefined;
      });
  }, ROOM_CHECK_MS);

  const read: Query = (statement, values) => {
    const query = full?.read ?? reading?.query;
    if (query === undefined)
      throw unavailable("The store is being reopened, because its disk has space again. Try again.");
    return query(statement, values);
  };
  function requireFull(): Database {
    if (full === undefined) throw diskFull();
    return full;
  }
  return {
    read,
    versions: {
      current: () => full?.versions.current() ?? 0,
      lifeMs: Number.POSITIVE_INFINITY,
      readAt: (version) => full?.versions.readAt?.(version) ?? read,
    },
    check: async () => (full === undefined ? void (await read(probe, [])) : full.check()),
    write: async (...given) => requireFull().write(...given),
    run: async (statement, values) => requireFull().run(statement, values),
    create: async (...given) => requireFull().create(...given),
    subscribe: async (channel, onChange) => (full ?? { subscribe }).subscribe(channel, onChange),
    wholeTables: createWholeTables(
      read,
      async (...given) => requireFull().write(...given),
      async (...given) => (full?.wholeTables.countBy ?? countWith(read))(...given),
    ),
    locks: NO_LOCKS,
    async close() {
      clearInterval(checking);
      await opening;
      reading?.connection.close();
      await full?.close();
    },
  };
}

interface Subscription {
  readonly channel: Channel;
  readonly onChange: OnChange;
  /** The subscription to the fully opened database. Undefined until the database is fully open. */
  own?: ChangeSubscription;
}

/** Collects subscriptions to a database that is not fully open yet. */
function createSubscriptions() {
  const subscriptions = new Set<Subscription>();
  return {
    async subscribe(channel: Channel, onChange: OnChange): Promise<ChangeSubscription> {
      const subscription: Subscription = { channel, onChange };
      subscriptions.add(subscription);
      return {
        isHealthy: () => subscription.own?.isHealthy() ?? true,
        async close() {
          subscriptions.delete(subscription);
          await subscription.own?.close();
        },
      };
    },
    /** Moves all subscriptions to the fully opened database. The subscribers are notified, because they may have missed changes. */
    async follow(database: Database): Promise<void> {
      for (const subscription of subscriptions) {
        subscription.own = await database.subscribe(subscription.channel, subscription.onChange);
        subscription.onChange(undefined);
      }
    },
  };
}
