import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { freePort, launch } from "../../postgres/server.ts";

// Runs PgBouncer from Debian's package (`apt-get install pgbouncer`).

export interface Pooler {
  /** Changes a database URL so that it leads through PgBouncer. */
  urlOf(direct: string): string;
  /** Runs `RECONNECT` in PgBouncer's console. PgBouncer then closes each server connection as soon as no transaction uses it. */
  reconnect(): Promise<void>;
  remove(): Promise<void>;
}

/** @param settings additional lines for the `[pgbouncer]` section */
export async function startPooler(server: string, settings: readonly string[] = []): Promise<Pooler> {
  const folder = await mkdtemp(join(tmpdir(), "petstore-pgbouncer-"));
  const port = freePort();
  const { hostname, port: serverPort, username } = new URL(server);
  const file = join(folder, "pgbouncer.ini");
  await Bun.write(
    file,
    [
      "[databases]",
      `* = host=${hostname} port=${serverPort} user=${username}`,
      "[pgbouncer]",
      ...["listen_addr = 127.0.0.1", `listen_port = ${port}`, "unix_socket_dir ="],
      ...[
        "admin_users = pgbouncer",
        "auth_type = any",
        "pool_mode = transaction",
        "max_client_conn = 1000",
        "server_login_retry = 1",
      ],
      ...settings,
    ].join("\n"),
  );
  await Bun.$`chmod -R a+rX ${folder}`.quiet();
  const child = launch("pgbouncer", [file]);
  await isUp(child.stderr);
  return {
    urlOf(direct) {
      const url = new URL(direct);
      url.port = String(port);
      return url.href;
    },
    async reconnect() {
      const console = new SQL(`postgres://pgbouncer@127.0.0.1:${port}/pgbouncer`, { max: 1, prepare: false });
      await console.unsafe("RECONNECT").simple();
      await console.close();
    },
    async remove() {
      child.kill("SIGQUIT");
      await child.exited;
      await rm(folder, { recursive: true });
    },
  };
}

/** Resolves once PgBouncer is running. Its log is read to the end, because the pipe would otherwise fill up and block it. */
async function isUp(stderr: ReadableStream<Uint8Array>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  async function read(): Promise<void> {
    let log = "";
    for await (const chunk of stderr) {
      log = (log + new TextDecoder().decode(chunk)).slice(-10_000);
      if (log.includes("process up")) resolve();
    }
    reject(new Error(`PgBouncer did not start: ${log}`));
  }
  void read();
  return promise;
}
