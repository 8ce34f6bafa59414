import { cp } from "node:fs/promises";
import { basename, join } from "node:path";
import { SQL } from "bun";
import { freePort, type PostgresServer, startPostgres } from "../../postgres/server.ts";
import { until } from "../../until.ts";
import { startProxy } from "./proxy.ts";

// Runs a PostgreSQL primary with a synchronous standby, and does the work of a cluster manager: it promotes the standby, redirects
// the address to the new primary, and replaces the old primary with a new standby.

export interface Cluster {
  /** The database URL of the current primary. It leads through a proxy that always forwards to that primary, as HAProxy does. */
  readonly address: string;
  /** A database URL that names both the primary and the standby. */
  readonly hosts: string;
  primary(): PostgresServer;
  standby(): PostgresServer;
  /** Stops all network traffic between the primary and the standby. Connections stay open. */
  cutOff(): void;
  /** Restores the network traffic. This closes the open connections, so that the standby connects again. */
  reconnect(): void;
  /** Promotes the standby to primary. The old primary keeps its state. */
  promote(): Promise<void>;
  /** Kills the old primary, and creates a new synchronous standby in its place. */
  rejoin(): Promise<void>;
  remove(): Promise<void>;
}

const STANDBY = "standby";
/** Files that a base backup leaves out (PostgreSQL, "Making a Base Backup Using the Low Level API"). */
const LEFT_OUT = /^(postmaster\.(pid|opts)|pg_internal\.init|pgsql_tmp.*)$/;
const LEFT_EMPTY =
  /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)$/;

export async function startCluster(): Promise<Cluster> {
  let primary = await startPostgres();
  const address = await startProxy(primary.port);
  const link = await startProxy(primary.port);
  let standby = await makeStandby(primary, freePort(), link.port);
  await requireStandby(primary);
  const ports = [primary.port, standby.port];

  return {
    address: urlOf(address.port),
    hosts: `postgres://postgres@${ports.map((port) => `127.0.0.1:${port}`).join()}/postgres?target_session_attrs=read-write`,
    primary: () => primary,
    standby: () => standby,
    cutOff: link.cut,
    reconnect: () => link.lead(primary.port),
    async promote() {
      await query(standby.url, "SELECT pg_promote()");
      [primary, standby] = [standby, primary];
      address.lead(primary.port);
      link.lead(primary.port);
    },
    async rejoin() {
      const { port } = standby;
      await standby.kill();
      await standby.remove();
      standby = await makeStandby(primary, port, link.port);
      await requireStandby(primary);
    },
    async remove() {
      address.close();
      link.close();
      await Promise.all([primary.remove(), standby.remove()]);
    },
  };
}

const urlOf = (port: number): string => `postgres://postgres@127.0.0.1:${port}/postgres`;

export async function makeStandby(
  primary: PostgresServer,
  port: number,
  link: number,
): Promise<PostgresServer> {
  return startPostgres({ port, fill: (dataDir) => copyCluster(primary, dataDir, link) });
}

/** Copies the data of the primary with a low-level base backup. The standby then receives all further changes through the WAL. */
async function copyCluster(primary: PostgresServer, dataDir: string, link: number): Promise<void> {
  const sql = new SQL(primary.url, { max: 1 });
  try {
    await sql`SELECT pg_backup_start('standby', true)`;
    await cp(primary.dataDir, dataDir, {
      recursive: true,
      filter: (path) => !LEFT_OUT.test(basename(path)) && !LEFT_EMPTY.test(basename(join(path, ".."))),
    });
    const [backup] = await sql`SELECT labelfile FROM pg_backup_stop(false)`;
    await Bun.write(join(dataDir, "backup_label"), backup.labelfile);
  } finally {
    await sql.close();
  }
  const source = `host=127.0.0.1 port=${link} user=postgres application_name=${STANDBY}`;
  await Bun.write(join(dataDir, "postgresql.auto.conf"), `primary_conninfo = '${source}'\n`);
  await Bun.write(join(dataDir, "standby.signal"), "");
}

/** Resolves once the standby has everything that was committed so far, and every new commit waits for the standby. */
async function requireStandby({ url }: PostgresServer): Promise<void> {
  await query(url, `ALTER SYSTEM SET synchronous_standby_names = '${STANDBY}'`);
  await query(url, "SELECT pg_reload_conf()");
  const [{ at }] = await query(url, "SELECT pg_current_wal_flush_lsn()::text AS at");
  await until(async () => {
    const streaming = `SELECT FROM pg_stat_replication WHERE sync_state = 'sync' AND flush_lsn >= '${at}'`;
    return (await query(url, streaming)).length > 0;
  });
}

async function query(url: string, statement: string) {
  const sql = new SQL(url, { max: 1 });
  try {
    return await sql.unsafe(statement);
  } finally {
    await sql.close();
  }
}
