import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Build, run } from "./builds.ts";
import type { Target } from "./request.ts";
import type { Launch } from "./server-process.ts";
import { type Engine, SQLITE_FILE, type Store } from "./stores.ts";

/** The name of petstore in the results, for each database engine. */
export const OURS_ON = { sqlite: "petstore", postgres: "petstore-postgres" } as const;

export interface Server {
  readonly name: string;
  readonly store: Store;
  /** The kind of server that petstore is compared with. It is undefined for petstore itself. */
  readonly kind?: Peer["kind"];
  /**
   * The name of the server to compare this one with, by default the first. That server's figures are divided by this server's
   * figures.
   */
  readonly subject?: string | undefined;
  /** Returns the command that starts the server on a new copy of its store. */
  launch(target: Target, subject: Target | undefined): Promise<Launch>;
}

export interface Peer {
  readonly name: string;
  readonly engine: Engine;
  /**
   * The kind of server. The kind `constants` only repeats petstore's responses, so its responses are not compared with petstore's.
   */
  readonly kind: "peers" | "constants";
  command(folder: string): Promise<readonly string[]>;
}

const bun = process.execPath;
export const PEERS: readonly Peer[] = [
  { name: "bare-bun", engine: "sqlite", kind: "constants", command: peer(bun, "bare-bun.ts") },
  { name: "elysia-bun-sqlite", engine: "sqlite", kind: "peers", command: peer(bun, "elysia-bun-sqlite.ts") },
  { name: "hono-drizzle", engine: "sqlite", kind: "peers", command: peer(bun, "hono-drizzle.ts") },
  {
    name: "fastify-better-sqlite3",
    engine: "sqlite",
    kind: "peers",
    command: peer("node", "fastify.mjs", "better-sqlite3"),
  },
  { name: "go-net-http", engine: "sqlite", kind: "peers", command: compileGo },
  { name: "fastify-pg", engine: "postgres", kind: "peers", command: peer("node", "fastify.mjs", "pg") },
];

function peer(runtime: string, file: string, ...args: readonly string[]): Peer["command"] {
  return async () => [runtime, peerPath(file), ...args];
}

function peerPath(file: string): string {
  return Bun.fileURLToPath(new URL(`peers/${file}`, import.meta.url));
}

export function petstore(name: string, build: Build, store: Store): Server {
  return {
    name,
    store,
    async launch({ port }) {
      const flags = [store.flag, await store.copy(), "--production-port", String(port)];
      return { command: build("serve", "production", ...flags) };
    },
  };
}

export function peerServer({ name, engine, kind, command }: Peer, store: Store, folder: string): Server {
  return {
    name,
    store,
    kind,
    async launch({ port }, subject) {
      const copy = await store.copy();
      const database = engine === "sqlite" ? join(copy, SQLITE_FILE) : copy;
      const env = { PORT: String(port), DATABASE: database, KEY: store.key, SUBJECT: String(subject?.port) };
      return { command: await command(folder), env };
    },
  };
}

/** The folder in which Debian installs the package golang-github-mattn-go-sqlite3-dev. */
const GOPATH = "/usr/share/gocode";

async function compileGo(folder: string): Promise<readonly string[]> {
  const program = join(folder, "go-net-http");
  if (existsSync(program)) return [program];
  if (Bun.which("go") === null || !existsSync(`${GOPATH}/src/github.com/mattn/go-sqlite3`))
    throw new Error("needs Debian's golang-go, golang-github-mattn-go-sqlite3-dev and libsqlite3-dev");
  const env = { ...Bun.env, GO111MODULE: "off", GOPATH };
  await run(["go", "build", "-tags", "libsqlite3", "-o", program, "."], { cwd: peerPath("go"), env });
  return [program];
}
