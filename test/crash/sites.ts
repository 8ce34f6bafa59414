import { rmSync } from "node:fs";
import { type PostgresServer, startPostgres } from "../postgres/server.ts";
import {
  freshEmbeddedStore,
  freshPostgresStore,
  makeKey,
  type Server,
  type Store,
  send,
  startServer,
} from "../wire/server.ts";
import { createCrashDisk } from "./disk-control.ts";
import type { Stored } from "./ledger.ts";
import type { Random } from "./random.ts";
import { readEmbedded, readPostgres } from "./stored.ts";

export const ENGINES = ["sqlite", "postgres"] as const;
export type Engine = (typeof ENGINES)[number];

/** What happens to a store in each round, and on which engine it can. */
export const KINDS = {
  /** The server dies (`SIGKILL`); every fifth time, once more while it starts. */
  kill: ENGINES,
  /** The machine dies: what was not synced may be gone. */
  power: ["sqlite"],
  /** The same with `synchronous=NORMAL`, which has to lose something: or else the harness is blind. */
  control: ["sqlite"],
  /** Every process of the database dies (`SIGKILL`). */
  database: ["postgres"],
  /** The database answers nothing for a while. */
  frozen: ["postgres"],
} as const satisfies Record<string, readonly Engine[]>;
export type Kind = keyof typeof KINDS;

/** One store, with whatever can happen to it. */
export interface Site {
  readonly key: string;
  server(): Server;
  /** It happens. Resolves when it is over, and nothing has been mended. */
  crash(random: Random): Promise<void>;
  /** Resolves when the store serves again. */
  recover(random: Random): Promise<void>;
  stored(): Promise<Stored>;
  /** Where to look for what led to this. */
  readonly evidence: string;
  close(options: { readonly isEvidenceKept: boolean }): Promise<void>;
}

/** Longer than a request waits for the database, so that clients hear of it. */
const FREEZE_MS = 6_000;
const STARTS_KILLED = 0.2;
const START_MS = 600;

export function openSite(engine: Engine, kind: Kind): Promise<Site> {
  if (kind === "power" || kind === "control") return openPowerSite(kind === "control" ? "NORMAL" : undefined);
  if (kind === "kill") return openKillSite(engine);
  return openDatabaseSite(kind);
}

const stored = ({ dataDir, settings }: Store): Promise<Stored> => {
  const url = settings["PETSTORE_DATABASE_URL"];
  return url === undefined ? Promise.resolve(readEmbedded(dataDir)) : readPostgres(url);
};

async function openKillSite(engine: Engine): Promise<Site> {
  const store = await (engine === "sqlite" ? freshEmbeddedStore() : freshPostgresStore());
  const key = await makeKey(store);
  let server = await startServer({ store });
  return {
    key,
    server: () => server,
    crash: () => server.kill(),
    async recover(random) {
      if (random.chance(STARTS_KILLED)) await killStarting(store, random.between(0, START_MS));
      server = await startServer({ store });
    },
    stored: () => stored(store),
    evidence: store.dataDir,
    async close({ isEvidenceKept }) {
      await server.kill();
      if (!isEvidenceKept) rmSync(store.dataDir, { recursive: true, force: true });
    },
  };
}

/** A start that is cut short after so many milliseconds; by then it may be up. */
async function killStarting(store: Store, milliseconds: number): Promise<void> {
  const dying = startServer({ store, killAfterMs: milliseconds }).catch(() => undefined);
  await (await dying)?.kill();
}

async function openPowerSite(synchronous: "NORMAL" | undefined): Promise<Site> {
  const store = await freshEmbeddedStore();
  const key = await makeKey(store);
  const disk = createCrashDisk(store, { ...(synchronous && { synchronous }) });
  let server = await startServer({ store, env: disk.mount() });
  return {
    key,
    server: () => server,
    async crash(random) {
      await server.kill();
      disk.losePower(random);
    },
    async recover() {
      server = await startServer({ store, env: disk.mount() });
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

async function openDatabaseSite(kind: "database" | "frozen"): Promise<Site> {
  const postgres = await startPostgres();
  const { dataDir, settings } = await freshEmbeddedStore();
  const store = { dataDir, settings: { ...settings, PETSTORE_DATABASE_URL: postgres.url } };
  const key = await makeKey(store);
  const server = await startServer({ store });
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

async function untilReady(server: Server): Promise<void> {
  const address = server.production.replace("/v1", "/readyz");
  while ((await send("GET", address)).status !== 200) await Bun.sleep(20);
}
