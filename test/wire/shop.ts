import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeKey, PROGRAM, petstore, type Server, send } from "./server.ts";

/** Somebody who works in the shop: a terminal of their own, with a key or without. */
export interface Clerk {
  readonly key: string;
  /** A folder of their own. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  run(args: readonly string[], input?: string): Promise<{ code: number; out: string; err: string }>;
  /** The same, and what it printed as JSON. */
  json<Result>(...args: readonly string[]): Promise<Result>;
  /** Begins a command whose standard input stays open. */
  begin(
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
  ): Bun.Subprocess<"pipe", "pipe", "pipe">;
  /** Runs a command on a terminal; `onText` is told all that the screen was sent so far. */
  onTerminal(args: readonly string[], options?: TerminalOptions): Promise<{ code: number; screen: string }>;
}

interface TerminalOptions {
  /** Typed before anything is shown. */
  readonly typed?: string;
  readonly env?: Readonly<Record<string, string>>;
  onText?(screen: string, type: (keys: string) => void): void;
}

/** A clerk at a server's production store, who has a key in the environment. */
export async function employ(server: Server, more: Readonly<Record<string, string>> = {}): Promise<Clerk> {
  const key = await makeKey(server.store);
  return clerkWith(server, key, { PETSTORE_KEY: key, PETSTORE_URL: server.production, ...more });
}

/** A clerk who has not logged in. */
export async function newcomer(server: Server, key: string): Promise<Clerk> {
  return clerkWith(server, key, {});
}

async function clerkWith(
  server: Server,
  key: string,
  settings: Readonly<Record<string, string>>,
): Promise<Clerk> {
  const folder = await mkdtemp(join(tmpdir(), "petstore-clerk-"));
  const env = { PATH: process.env["PATH"] ?? "", XDG_CONFIG_HOME: join(folder, "config"), ...settings };
  const run = (args: readonly string[], input = "") => petstore(server.store, args, { input, env });
  return {
    key,
    folder,
    env,
    run,
    async json(...args) {
      const { code, out, err } = await run([...args, "--json"]);
      if (code !== 0) throw new Error(err);
      return JSON.parse(out);
    },
    begin: (args, own = env) =>
      Bun.spawn([...PROGRAM.command, ...args], { env: own, stdin: "pipe", stdout: "pipe", stderr: "pipe" }),
    onTerminal: (args, options) => onTerminal(args, env, options),
  };
}

async function onTerminal(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  options: TerminalOptions = {},
): Promise<{ code: number; screen: string }> {
  const decoder = new TextDecoder();
  const closed = Promise.withResolvers<void>();
  let screen = "";
  const child = Bun.spawn([...PROGRAM.command, ...args], {
    env: { TERM: "xterm-256color", ...env, ...options.env },
    terminal: {
      cols: 120,
      rows: 40,
      data(terminal, bytes) {
        screen += decoder.decode(bytes, { stream: true });
        options.onText?.(screen, (keys) => void terminal.write(keys));
      },
      exit: () => closed.resolve(),
    },
  });
  if (options.typed !== undefined) child.terminal?.write(options.typed);
  const code = await child.exited;
  // What was written last may still be on its way.
  child.terminal?.close();
  await closed.promise;
  return { code, screen };
}

interface Pet {
  readonly id: number;
  readonly name: string;
  readonly categoryId: number;
  readonly status?: string;
}

/** Every animal of the production store, asked for without the command line. */
export async function everyPet(server: Server, key: string): Promise<readonly Pet[]> {
  const pets: Pet[] = [];
  let address: string | undefined = `${server.production}/pets?limit=100`;
  while (address !== undefined) {
    const { headers, body } = await send("GET", address, { key });
    pets.push(...JSON.parse(body));
    address = /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
  }
  return pets;
}
