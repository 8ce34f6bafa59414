import { petstoreCommand } from "./our-commands.ts";
import { isInstalled } from "./packages.ts";
import type { PostgresStores } from "./postgres-stores.ts";
import type { SqliteStores } from "./stores.ts";

/** What servers are started on. */
export interface Ground {
  readonly sqlite: SqliteStores;
  /** Absent when PostgreSQL is not wanted, or cannot be had. */
  readonly postgres: PostgresStores | undefined;
  /** The file with the constants that the bare server answers with. */
  readonly constantsFile: string;
}

/** A server that takes part. Those of one engine are compared with each other. */
export interface Contestant {
  readonly name: string;
  readonly engine: "sqlite" | "postgres";
  /** `limit`: it answers constants, so its answers are not compared. */
  readonly part: "ours" | "peer" | "limit";
  /** A package without which it cannot run. */
  readonly needs?: string;
  /** How it is started on fresh data. */
  launch(ground: Ground, port: number): Promise<Start>;
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
    launch: async ({ sqlite }, port) => ({
      command: serveCommand(port, "--data-dir", sqlite.ourDataDir()),
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
    name: "petstore-postgres",
    engine: "postgres",
    part: "ours",
    async launch(ground, port) {
      const { key, freshUrl } = requirePostgres(ground);
      return { command: serveCommand(port, "--database-url", await freshUrl("ours")), key };
    },
  },
  {
    name: "fastify-pg",
    engine: "postgres",
    part: "peer",
    async launch(ground, port) {
      const { key, freshUrl } = requirePostgres(ground);
      const env = { PORT: String(port), DATABASE: await freshUrl("theirs") };
      return { command: ["node", peerPath("fastify-pg.mjs")], env, key };
    },
  },
];

function serveCommand(port: number, ...store: readonly string[]): readonly string[] {
  return petstoreCommand("serve", "production", "--production-port", String(port), ...store);
}

function sqlitePeer(name: string, runtime: string, file: string, needs?: string): Contestant {
  return {
    name,
    engine: "sqlite",
    part: "peer",
    ...(needs !== undefined && { needs }),
    launch: async ({ sqlite }, port) => ({
      command: [runtime, peerPath(file)],
      env: { PORT: String(port), DATABASE: sqlite.peerFile() },
      key: sqlite.key,
    }),
  };
}

/** Why it cannot take part, if it cannot. */
export function absenceOf({ needs, engine }: Contestant, { postgres }: Ground): string | undefined {
  if (needs !== undefined && !isInstalled(needs)) return `${needs} could not be installed here`;
  if (engine === "postgres" && postgres === undefined) return "PostgreSQL could not be started here";
  return undefined;
}

function requirePostgres({ postgres }: Ground): PostgresStores {
  if (postgres === undefined) throw new Error("There is no PostgreSQL.");
  return postgres;
}
