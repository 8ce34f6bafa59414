import { beforeAll } from "bun:test";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROGRAM, petstore } from "./process.ts";
import { nextOf, send } from "./send.ts";
import { makeKey, type ServedStore, type Server } from "./server.ts";

/** A user of petstore's remote commands, with a home folder and an environment. The user may or may not have an API key. */
export interface RemoteUser {
  readonly key: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  run(args: readonly string[], input?: string): Promise<{ code: number; out: string; err: string }>;
  /** Runs a command with `--json`, and parses its output. */
  json<Result>(...args: readonly string[]): Promise<Result>;
  /** Starts a command, and leaves its standard input open. */
  begin(
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
  ): Bun.Subprocess<"pipe", "pipe", "pipe">;
  /** Runs a command on a terminal. Calls `onText` with the complete output whenever more has arrived. */
  onTerminal(args: readonly string[], options?: TerminalOptions): Promise<{ code: number; screen: string }>;
}

interface TerminalOptions {
  /** The text to type before the command prints anything. */
  readonly typed?: string;
  /** The width of the terminal in columns. The default is 120. */
  readonly cols?: number;
  readonly env?: Readonly<Record<string, string>>;
  onText?(screen: string, type: (keys: string) => void): void;
}

/** Creates a user of the remote commands whose environment contains an API key for production. */
export async function userWithKey(
  server: Server,
  more: Readonly<Record<string, string>> = {},
): Promise<RemoteUser> {
  return userWith(server, await makeKey(server.store), more);
}

/** Creates a user of the remote commands for a block of tests. The members of the returned object are set before the first test. */
export function useUser(server: ServedStore): RemoteUser {
  const user = {} as RemoteUser;
  beforeAll(async () => void Object.assign(user, await userWith(server, server.key)));
  return user;
}

/** Creates a user of the remote commands who has not logged in. */
export async function userWithoutLogin(
  server: Server,
  key: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<RemoteUser> {
  return openUser(server, key, settings);
}

function userWith(server: Server, key: string, more: Readonly<Record<string, string>> = {}) {
  const settings = { PETSTORE_URL: server.production, PETSTORE_MESSAGES_URL: server.messages };
  return openUser(server, key, { PETSTORE_KEY: key, ...settings, ...more });
}

async function openUser(
  server: Server,
  key: string,
  settings: Readonly<Record<string, string>>,
): Promise<RemoteUser> {
  const folder = await mkdtemp(join(tmpdir(), "petstore-user-"));
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

/** Reads the output of a process until `isEnough` returns true. Throws if the output ends before that. */
export async function readUntil(
  { stdout }: Bun.Subprocess<"pipe", "pipe", "pipe">,
  isEnough: (printed: string) => boolean,
): Promise<string> {
  const decoder = new TextDecoder();
  let printed = "";
  for await (const bytes of stdout) {
    printed += decoder.decode(bytes, { stream: true });
    if (isEnough(printed)) return printed;
  }
  throw new Error(`It ended: ${printed}`);
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
      cols: options.cols ?? 120,
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
  // Some of the output may arrive after the process has ended.
  child.terminal?.close();
  await closed.promise;
  return { code, screen };
}

/** Types the `keys` once, as soon as the terminal shows `text`. */
export function typeAt(text: string, keys: string): Pick<TerminalOptions, "onText"> {
  let isTyped = false;
  return {
    onText(screen, type) {
      if (isTyped || !screen.includes(text)) return;
      isTyped = true;
      type(keys);
    },
  };
}

interface Pet {
  readonly id: number;
  readonly name: string;
  readonly categoryId: number;
  readonly status?: string;
}

/** Returns every animal in production, read through the API instead of the command line. */
export async function everyPet(server: Server, key: string): Promise<readonly Pet[]> {
  const pets: Pet[] = [];
  let address: string | undefined = `${server.production}/pets?limit=100`;
  while (address !== undefined) {
    const page = await send("GET", address, { key });
    pets.push(...page.json);
    address = nextOf(page);
  }
  return pets;
}
