import { describe } from "bun:test";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { databaseSettings, freshDatabaseUrl } from "../postgres/database.ts";

/** Where a service keeps its data: its settings, and a data folder. */
export interface Store {
  readonly dataDir: string;
  readonly settings: Readonly<Record<string, string>>;
}

// The wire tests know the service only from outside: a process, its ports, its command line.

const MAIN = Bun.fileURLToPath(new URL("../../src/main.ts", import.meta.url));
const named = process.env["PETSTORE_TEST_PROGRAM"];

/** What starts a program, before its arguments, and the folder that it is started in. */
export interface Program {
  readonly command: readonly string[];
  readonly cwd: string;
}

/** The program under test: the source, or the executable that was named. */
export const PROGRAM: Program = {
  command: named ? [resolve(named)] : [process.execPath, MAIN],
  cwd: process.cwd(),
};

export interface Server {
  /** Base addresses, such as `http://localhost:41234/v1`. */
  readonly production: string;
  readonly staging: string;
  readonly messages: string;
  readonly metrics: string;
  readonly store: Store;
  /** Everything it has written to standard output so far. */
  log(): string;
  /** Everything it wrote to standard error, once it has ended. */
  errors(): Promise<string>;
  /** Resolves once it has written this text. */
  logged(text: string): Promise<void>;
  readonly pid: number;
  kill(): Promise<void>;
  /** Resolves with its exit code, however it ends. */
  readonly exited: Promise<number>;
  /** Ends it as an operator would; resolves with its exit code. */
  stop(): Promise<number>;
}

export async function freshEmbeddedStore(): Promise<Store> {
  const dataDir = await mkdtemp(join(tmpdir(), "petstore-"));
  return { dataDir, settings: { PETSTORE_DATA_DIR: dataDir } };
}

export async function freshPostgresStore(): Promise<Store> {
  const { dataDir } = await freshEmbeddedStore();
  return {
    dataDir,
    settings: { PETSTORE_DATA_DIR: dataDir, ...databaseSettings(await freshDatabaseUrl()) },
  };
}

/** Registers a suite twice: everything holds on either engine, or it does not hold. */
export function onBothEngines(
  suite: (tools: {
    freshStore: () => Promise<Store>;
    startServer: (options?: Omit<StartOptions, "store"> & { store?: Store }) => Promise<Server>;
  }) => void,
): void {
  for (const [engine, freshStore] of [
    ["SQLite", freshEmbeddedStore],
    ["PostgreSQL", freshPostgresStore],
  ] as const) {
    describe(`on ${engine}`, () =>
      suite({
        freshStore,
        startServer: async (options = {}) =>
          startServer({ ...options, store: options.store ?? (await freshStore()) }),
      }));
  }
}

interface StartOptions {
  readonly store: Store;
  readonly env?: Readonly<Record<string, string>>;
  readonly program?: Program;
  /** Kills it after this, unless it serves by then. */
  readonly killAfterMs?: number;
}

/** Starts the whole service as a process, on free ports. */
export async function startServer(options: StartOptions): Promise<Server> {
  const { store, env, killAfterMs, program = PROGRAM } = options;
  const child = Bun.spawn([...program.command, "serve"], {
    cwd: program.cwd,
    env: { ...environment(store), ...env },
    stdout: "pipe",
    stderr: "pipe",
  });
  const killing =
    killAfterMs === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  const log = followLog(child.stdout);
  const addresses = await log.until(readAddresses).catch(async (error: unknown) => {
    throw new Error(`${error}: ${await new Response(child.stderr).text()}`);
  });
  clearTimeout(killing);
  return {
    ...addresses,
    store,
    pid: child.pid,
    exited: child.exited,
    log: () => log.text(),
    errors: () => new Response(child.stderr).text(),
    logged: async (text) => void (await log.until((all) => all.includes(text) || undefined)),
    async kill() {
      child.kill("SIGKILL");
      await child.exited;
    },
    async stop() {
      child.kill("SIGTERM");
      return child.exited;
    },
  };
}

const SERVICES = ["production", "staging", "messages", "metrics"] as const;
type Addresses = Record<(typeof SERVICES)[number], string>;

/** Where all the services listen, once they do. */
function readAddresses(log: string): Addresses | undefined {
  const lines = log.split("\n").slice(0, -1);
  const listening = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "listening");
  if (listening.length < SERVICES.length) return undefined;
  return Object.fromEntries(listening.map(({ service, address }) => [service, address])) as Addresses;
}

/** Collects what a process writes; `until` waits for text in it. */
export function followLog(stdout: ReadableStream<Uint8Array>) {
  let text = "";
  let isOver = false;
  const waiting: (() => void)[] = [];
  async function follow(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of stdout) {
      text += decoder.decode(chunk, { stream: true });
      for (const wake of waiting.splice(0)) wake();
    }
    isOver = true;
    for (const wake of waiting.splice(0)) wake();
  }
  follow();
  return {
    text: () => text,
    async until<Found>(find: (text: string) => Found | undefined): Promise<Found> {
      for (;;) {
        const found = find(text);
        if (found !== undefined) return found;
        if (isOver) throw new Error("the service ended");
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
  };
}

function environment({ settings }: Store): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    ...settings,
    PETSTORE_PRODUCTION_PORT: "0",
    PETSTORE_STAGING_PORT: "0",
    PETSTORE_MESSAGES_PORT: "0",
    PETSTORE_METRICS_PORT: "0",
    // Unset, no browser of these tests may sign up: they say which address they come from.
    PETSTORE_SIGN_UP: "open",
  };
}

/** Runs `petstore` with these arguments, as an operator at the same machine. */
export async function petstore(
  store: Store,
  args: readonly string[],
  options: {
    readonly input?: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly program?: Program;
  } = {},
): Promise<{ code: number; out: string; err: string }> {
  const { command, cwd } = options.program ?? PROGRAM;
  const child = Bun.spawn([...command, ...args], {
    cwd,
    env: { ...environment(store), ...options.env },
    stdin: new Blob([options.input ?? ""]),
    stdout: "pipe",
    stderr: "pipe",
  });
  return outcomeOf(child);
}

/** How a process ended, and all it said. */
export async function outcomeOf(
  child: Bun.Subprocess<Bun.Spawn.Writable, "pipe", "pipe">,
): Promise<{ code: number; out: string; err: string }> {
  const [code, out, err] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code, out, err };
}

/** A fresh API key. */
export async function makeKey(store: Store, ...args: readonly string[]): Promise<string> {
  const environmentArgs = args.includes("--environment") ? [] : ["--environment", "production"];
  const { code, out, err } = await petstore(store, ["keys", "create", ...environmentArgs, ...args]);
  if (code !== 0) throw new Error(err);
  return out.trim();
}

interface SendOptions {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it stands, as `application/json` unless the headers say otherwise. */
  readonly body?: string | Uint8Array;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** One request, and the answer with its body as text, digit for digit. */
export async function send(method: string, address: string, options: SendOptions = {}): Promise<Reply> {
  const headers = new Headers(options.headers);
  if (options.key !== undefined) headers.set("Authorization", `Bearer ${options.key}`);
  if (options.body !== undefined && !headers.has("Content-Type"))
    headers.set("Content-Type", "application/json");
  if (headers.get("Content-Type") === "none") headers.delete("Content-Type");
  const body = typeof options.body === "string" ? new TextEncoder().encode(options.body) : options.body;
  const response = await fetch(address, {
    method,
    headers,
    ...(body === undefined ? {} : { body: body.slice() }),
    redirect: "manual",
  });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

/** Bytes over a socket as they stand, and everything that came back until the connection closed. */
export async function sendRaw(address: string, bytes: string | Uint8Array): Promise<string> {
  const { port } = new URL(address);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let received = "";
  await Bun.connect({
    hostname: "127.0.0.1",
    port: Number(port),
    socket: {
      open: (socket) => void socket.write(bytes),
      data: (_socket, chunk) => {
        received += chunk.toString("latin1");
      },
      close: () => resolve(received),
      error: (_socket, error) => reject(error),
    },
  });
  return promise;
}

/** `METHOD path` with exactly these header lines, on a connection of its own. */
export async function sendLines(
  address: string,
  requestLine: string,
  lines: readonly string[],
): Promise<Reply> {
  const raw = await sendRaw(
    address,
    `${requestLine} HTTP/1.1\r\n${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n`,
  );
  const [head = "", ...rest] = raw.split("\r\n\r\n");
  const [statusLine = "", ...headerLines] = head.split("\r\n");
  const headers = new Headers(
    headerLines.map((line): [string, string] => [
      line.slice(0, line.indexOf(":")),
      line.slice(line.indexOf(":") + 1).trim(),
    ]),
  );
  return { status: Number(statusLine.split(" ")[1]), headers, body: rest.join("\r\n\r\n") };
}

/** A request whose body is held back: `begun` when its head is under way, `end` sends the rest and resolves with the answer. */
export function sendHeldBody(
  address: string,
  lines: readonly string[],
): { begun: Promise<void>; end(body: string): Promise<string> } {
  const answered = Promise.withResolvers<string>();
  let received = "";
  const connecting = Bun.connect({
    hostname: "127.0.0.1",
    port: Number(new URL(address).port),
    socket: {
      data: (_socket, chunk) => {
        received += chunk.toString("latin1");
      },
      close: () => answered.resolve(received),
      error: (_socket, error) => answered.reject(error),
    },
  });
  return {
    begun: connecting.then((socket) => void socket.write(`${lines.join("\r\n")}\r\n\r\n`)),
    async end(body) {
      (await connecting).write(body);
      return answered.promise;
    },
  };
}
