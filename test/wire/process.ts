import { resolve } from "node:path";
import { freshBundle, PROJECT } from "../../bin/bundle.js";
import { type Addresses, environment, OPEN_SIGN_UP, type Store } from "./stores.ts";

// Runs the service and its commands as separate processes, to test signals, kills, logs and folders.

const named = process.env["PETSTORE_TEST_PROGRAM"];

/** A program to test: the command that starts it, without arguments, and the folder to start it in. */
export interface Program {
  readonly command: readonly string[];
  readonly cwd: string;
}

/**
 * The program that the tests run: the executable that PETSTORE_TEST_PROGRAM names or, by default, the bundle that `npm ci` makes.
 */
export const PROGRAM: Program = {
  command: named ? [resolve(named)] : [process.execPath, "--no-env-file", bundle()],
  cwd: process.cwd(),
};

export interface ServerProcess extends Addresses {
  readonly store: Store;
  /** Returns everything that the process has written to standard output so far. */
  log(): string;
  /** Resolves to everything that the process has written to standard error, once it has ended. */
  errors(): Promise<string>;
  /** Resolves once the output of the process contains this text this many times. */
  logged(text: string, times?: number): Promise<void>;
  readonly pid: number;
  kill(): Promise<void>;
  /** Resolves to the exit code, however the process ends. */
  readonly exited: Promise<number>;
  /** Sends SIGTERM. Resolves to the exit code. */
  stop(): Promise<number>;
}

/** Returns the path of petstore's bundle. If the sources have changed, builds it again first. */
function bundle(): string {
  const build = [process.execPath, `${PROJECT}scripts/build-program.ts`];
  const made = freshBundle() ?? (Bun.spawnSync(build).success ? freshBundle() : undefined);
  if (made === undefined) throw new Error("The bundle could not be made: npm run prepare says why.");
  return made;
}

export interface ProcessOptions {
  readonly store: Store;
  readonly env?: Readonly<Record<string, string>>;
  readonly program?: Program;
  readonly flags?: readonly string[];
  /** The process is killed if it does not accept requests within this time. */
  readonly killAfterMs?: number;
}

/** Starts all services of petstore in one separate process, on free ports. */
export async function startProcess(options: ProcessOptions): Promise<ServerProcess> {
  const { store, env, killAfterMs, program = PROGRAM, flags = [] } = options;
  const child = Bun.spawn([...program.command, "serve", ...flags], {
    cwd: program.cwd,
    env: { ...environment(store), ...OPEN_SIGN_UP, ...env },
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
  // The last lines of the output may still arrive after the process has ended.
  const exited = child.exited.then(async (code) => {
    await log.ended;
    return code;
  });
  return {
    ...addresses,
    store,
    pid: child.pid,
    exited,
    log: () => log.text(),
    errors: () => new Response(child.stderr).text(),
    logged: async (text, times = 1) =>
      void (await log.until((all) => all.split(text).length > times || undefined)),
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
    async stop() {
      child.kill("SIGTERM");
      return exited;
    },
  };
}

const LISTENERS = 4;

/** Reads the addresses of all services from the log. Returns undefined if some of them do not listen yet. */
export function readAddresses(log: string): Addresses | undefined {
  const lines = log.split("\n").slice(0, -1);
  const listening = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "listening");
  if (listening.length < LISTENERS) return undefined;
  return Object.fromEntries(listening.map(({ service, address }) => [service, address])) as Addresses;
}

/** Collects the output of a process. `until` waits for a text in the output. */
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
  return {
    ended: follow(),
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

/** Runs a `petstore` command, as an operator on the same machine. */
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

/** Resolves to the exit code of a process and its complete output. */
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
