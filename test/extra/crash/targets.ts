import { rmSync } from "node:fs";
import { acceptStoreLoss } from "../../../src/storage/open.ts";
import { type PostgresServer, startPostgres } from "../../postgres/server.ts";
import type { Random } from "../../random.ts";
import { type ServerProcess, startProcess } from "../../wire/process.ts";
import { type Reply, send } from "../../wire/send.ts";
import { makeKey } from "../../wire/server.ts";
import { freshEmbeddedStore, freshPostgresStore, type Store } from "../../wire/stores.ts";
import { type CrashDisk, createCrashDisk } from "./disk-control.ts";
import type { Stored } from "./ledger.ts";
import { readEmbedded, readPostgres } from "./stored.ts";

export const ENGINES = ["sqlite", "postgres"] as const;
export type Engine = (typeof ENGINES)[number];

/** The kinds of crashes, each with the database engines (SQLite, PostgreSQL) that it applies to. */
export const KINDS = {
  /** The server is killed with `SIGKILL`. Every fifth time, it is killed again while it starts. */
  kill: ENGINES,
  /** The machine loses power: unsynced writes may be lost. */
  power: ["sqlite"],
  /**
   * The machine loses power while `synchronous=NORMAL` is set. This must lose data, because otherwise the harness would not detect
   * a loss.
   */
  control: ["sqlite"],
  /** The disk is full until it has refused several writes (`REFUSALS`). The server keeps running. */
  full: ["sqlite"],
  /** A sync fails, the server ends, and then the power is lost as well. */
  sync: ["sqlite"],
  /** Every process of the database server is killed with `SIGKILL`. */
  database: ["postgres"],
  /** The database server is frozen for several seconds (`FREEZE_MS`). */
  frozen: ["postgres"],
} as const satisfies Record<string, readonly Engine[]>;
export type Kind = keyof typeof KINDS;

/** A store that the test can crash. */
export interface CrashTarget {
  readonly key: string;
  server(): ServerProcess;
  /** Resolves once the store has crashed, before recovery begins. */
  crash(random: Random): Promise<void>;
  /** Resolves once the store accepts requests again. */
  recover(random: Random): Promise<void>;
  stored(): Promise<Stored>;
  /** The folder with the files to examine if a fault is found. */
  readonly evidence: string;
  close(options: { readonly isEvidenceKept: boolean }): Promise<void>;
}

/**
 * The time during which the database server is frozen. It is longer than a request waits for the database, so that clients get a
 * 503.
 */
const FREEZE_MS = 6_000;
const REFUSALS = 20;
const STARTS_KILLED = 0.2;
const START_MS = 600;

export function openTarget(engine: Engine, kind: Kind): Promise<CrashTarget> {
  if (kind === "power" || kind === "control" || kind === "full" || kind === "sync")
    return openDiskTarget(kind);
  if (kind === "kill") return openKillTarget(engine);
  return openDatabaseTarget(kind);
}

const stored = ({ dataDir, settings }: Store): Promise<Stored> => {
  const url = settings["PETSTORE_DATABASE_URL"];
  return url === undefined ? Promise.resolve(readEmbedded(dataDir)) : readPostgres(url);
};

async function openKillTarget(engine: Engine): Promise<CrashTarget> {
  const store = await (engine === "sqlite" ? freshEmbeddedStore() : freshPostgresStore());
  const key = await makeKey(store);
  let server = await startProcess({ store });
  return {
    key,
    server: () => server,
    crash: () => server.kill(),
    async recover(random) {
      if (random.chance(STARTS_KILLED)) await killStarting(store, random.between(0, START_MS));
      server = await startProcess({ store });
    },
    stored: () => stored(store),
    evidence: store.dataDir,
    async close({ isEvidenceKept }) {
      await server.kill();
      if (!isEvidenceKept) rmSync(store.dataDir, { recursive: true, force: true });
    },
  };
}

/** Starts a server and kills it after this many milliseconds. By then, the server may already be accepting requests. */
async function killStarting(store: Store, milliseconds: number): Promise<void> {
  const dying = startProcess({ store, killAfterMs: milliseconds }).catch(() => undefined);
  await (await dying)?.kill();
}

async function openDiskTarget(kind: "power" | "control" | "full" | "sync"): Promise<CrashTarget> {
  const store = await freshEmbeddedStore();
  const key = await makeKey(store);
  const disk = createCrashDisk(store, kind === "control" ? { synchronous: "NORMAL" } : {});
  let server = await startProcess({ store, env: disk.mount() });
  return {
    key,
    server: () => server,
    async crash(random) {
      if (kind === "full") return fillForAWhile(disk, server, key);
      if (kind === "sync") await failToSync(disk, server, key);
      await server.kill();
      disk.losePower(random);
    },
    async recover() {
      disk.set("none");
      // Accepts an older file that the power loss may have left in the store. Without this, the service would refuse to start.
      if (kind === "control") await acceptStoreLoss(store);
      if (kind !== "full") server = await startProcess({ store, env: disk.mount() });
    },
    stored: () => stored(store),
    evidence: `${store.dataDir} and ${disk.evidence}`,
    async close({ isEvidenceKept }) {
      await server.kill();
      if (isEvidenceKept) return;
      disk.remove();
      rmSync(store.dataDir, { recursive: true, force: true });
    },
  };
}

const addCategory = (server: ServerProcess, key: string): Promise<Reply> =>
  send("POST", `${server.production}/categories`, { key, body: '{"name":"full?"}' });

/** Keeps the disk full until it has refused `REFUSALS` writes. */
async function fillForAWhile(disk: CrashDisk, server: ServerProcess, key: string): Promise<void> {
  disk.set("full");
  for (let refused = 0; refused < REFUSALS; ) if ((await addCategory(server, key)).status === 503) refused++;
}

async function failToSync(disk: CrashDisk, server: ServerProcess, key: string): Promise<void> {
  disk.set("syncFails");
  // The server ends 300 ms after the first refusal, so requests that are sent later get no response.
  const replies = await Promise.allSettled(Array.from({ length: REFUSALS }, () => addCategory(server, key)));
  const statuses = replies.flatMap((reply) => (reply.status === "fulfilled" ? [reply.value.status] : []));
  if (statuses.length === 0 || statuses.some((status) => status !== 503))
    throw new Error(`A write was acknowledged that was not synced: ${statuses}`);
  if ((await server.exited) !== 1) throw new Error("The server did not end with 1.");
}

async function openDatabaseTarget(kind: "database" | "frozen"): Promise<CrashTarget> {
  const postgres = await startPostgres();
  const { dataDir, settings } = await freshEmbeddedStore();
  const store = { dataDir, settings: { ...settings, PETSTORE_DATABASE_URL: postgres.url } };
  const key = await makeKey(store);
  const server = await startProcess({ store });
  return {
    key,
    server: () => server,
    crash: () => (kind === "database" ? postgres.kill() : freezeAndThaw(postgres)),
    async recover() {
      if (kind === "database") await postgres.start();
      await untilReady(server);
    },
    stored: () => stored(store),
    evidence: "the database's own log",
    async close() {
      await server.kill();
      await postgres.remove();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function freezeAndThaw(postgres: PostgresServer): Promise<void> {
  await postgres.freeze();
  await Bun.sleep(FREEZE_MS);
  await postgres.thaw();
}

async function untilReady(server: ServerProcess): Promise<void> {
  const address = server.production.replace("/v1", "/readyz");
  while ((await send("GET", address)).status !== 200) await Bun.sleep(20);
}
