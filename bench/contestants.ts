import { compileGoPeer, goAbsence } from "./go-peer.ts";
import type { Build } from "./our-commands.ts";
import { isInstalled } from "./packages.ts";
import type { PostgresStores } from "./postgres-stores.ts";
import type { SqliteStores } from "./stores.ts";

/** The prepared data that servers start on. */
export interface Backends {
  /** The petstore that runs on them. */
  readonly build: Build;
  readonly folder: string;
  readonly sqlite: SqliteStores;
  /** Undefined when no PostgreSQL server was selected, or PostgreSQL cannot start. */
  readonly postgres: PostgresStores | undefined;
  /** The responses that bare-bun returns. */
  readonly constantsFile: string;
}

/** A server under test. Servers on the same engine are compared. */
export interface Contestant {
  readonly name: string;
  readonly engine: "sqlite" | "postgres";
  /** `limit`: it returns constants, so its responses are not checked. */
  readonly part: "ours" | "peer" | "limit";
  /** Why it cannot run here; undefined when it can. */
  absence?(): string | undefined;
  /** The command that starts it on a fresh copy of the data. */
  launch(backends: Backends, port: number): Promise<Start>;
}

interface Start {
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly key: string;
}

const peerPath = (file: string) => Bun.fileURLToPath(new URL(`peers/${file}`, import.meta.url));

export const CONTESTANTS: readonly Contestant[] = [
  {
    name: "petstore",
    engine: "sqlite",
    part: "ours",
    launch: async ({ sqlite, build }, port) => ({
      command: serveCommand(build, port, "--data-dir", sqlite.ourDataDir()),
      key: sqlite.key,
    }),
  },
  {
    name: "bare-bun",
    engine: "sqlite",
    part: "limit",
    launch: async ({ sqlite, constantsFile }, port) => ({
      command: [process.execPath, peerPath("bare-bun.ts")],
      env: { PORT: String(port), CONSTANTS: constantsFile },
      key: sqlite.key,
    }),
  },
  sqlitePeer("elysia-bun-sqlite", process.execPath, "elysia-bun-sqlite.ts"),
  sqlitePeer("hono-drizzle", process.execPath, "hono-drizzle.ts"),
  sqlitePeer("fastify-better-sqlite3", "node", "fastify-better-sqlite3.mjs", "better-sqlite3"),
  sqlitePeer("express-better-sqlite3", "node", "express-better-sqlite3.mjs", "better-sqlite3"),
  {
    name: "go-net-http",
    engine: "sqlite",
    part: "peer",
    absence: goAbsence,
    launch: async ({ sqlite, folder }, port) => ({
      command: [await compileGoPeer(folder)],
      env: { PORT: String(port), DATABASE: sqlite.peerFile() },
      key: sqlite.key,
    }),
  },
  {
    name: "petstore-postgres",
    engine: "postgres",
    part: "ours",
    async launch(backends, port) {
      const { key, freshUrl } = requirePostgres(backends);
      return { command: serveCommand(backends.build, port, "--database-url", await freshUrl("ours")), key };
    },
  },
  {
    name: "fastify-pg",
    engine: "postgres",
    part: "peer",
    async launch(backends, port) {
      const { key, freshUrl } = requirePostgres(backends);
      const env = { PORT: String(port), DATABASE: await freshUrl("theirs") };
      return { command: ["node", peerPath("fastify-pg.mjs")], env, key };
    },
  },
];

/** The names of the peers on the same engine. */
export function peersOf(server: string): readonly string[] {
  const engine = CONTESTANTS.find(({ name }) => name === server)?.engine;
  return CONTESTANTS.filter((one) => one.engine === engine && one.part === "peer").map(({ name }) => name);
}

function serveCommand(build: Build, port: number, ...store: readonly string[]): readonly string[] {
  return build.command("serve", "production", "--production-port", String(port), ...store);
}

function sqlitePeer(name: string, runtime: string, file: string, needs?: string): Contestant {
  return {
    name,
    engine: "sqlite",
    part: "peer",
    absence: () =>
      needs === undefined || isInstalled(needs) ? undefined : `${needs} could not be installed here`,
    launch: async ({ sqlite }, port) => ({
      command: [runtime, peerPath(file)],
      env: { PORT: String(port), DATABASE: sqlite.peerFile() },
      key: sqlite.key,
    }),
  };
}

/** Why it cannot run here; undefined when it can. */
export function absenceOf(contestant: Contestant, { postgres }: Backends): string | undefined {
  if (contestant.engine === "postgres" && postgres === undefined)
    return "PostgreSQL could not be started here";
  return contestant.absence?.();
}

function requirePostgres({ postgres }: Backends): PostgresStores {
  if (postgres === undefined) throw new Error("There is no PostgreSQL.");
  return postgres;
}
