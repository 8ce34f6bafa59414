import { ServiceError } from "../../errors.ts";
import type { AwaitedQuery, Database, DataVersion, Query, Versions } from "../database.ts";
import { textColumn } from "../row.ts";
import { type Statement, statement, type Values } from "../statement.ts";
import type { LogPosition, Replicas } from "./replicas.ts";
import { LOG_TIMELINE } from "./session.ts";

const VERSION_LIFE_MS = 200; // a cached page that was last requested longer ago than this is read again, without first asking PostgreSQL whether the data has changed
/**
 * The format of a returned version. It is a parameter of the statement, because the driver prepares only statements that have
 * parameters. Without preparation, the server would have to plan the statement each time, which takes as long as a round trip.
 */
const FORMAT = "%s %s %s";
const INDEX_FORMAT = "%s %s %s %s %s";

export type ReplicaRead = Replicas["read"];

/**
 * Creates the functions that read data and its version. Without standbys, they read from the primary. With standbys, each read goes
 * to a standby that has replayed everything that was in the primary's log when the read began.
 */
export function createReads(run: AwaitedQuery, replica?: ReplicaRead): Pick<Database, "read" | "versions"> {
  const primary = shareQueries(run);
  const index = createReadIndex(run, replica !== undefined);
  if (replica === undefined) return { read: primary, versions: index };
  const readAt = (version: DataVersion): AwaitedQuery => {
    const position = positionOf(version);
    return async (statement, values) =>
      (statement.isOfPrimary ? undefined : await replica(position, statement, values)) ??
      primary(statement, values);
  };
  return {
    async read(statement, values) {
      const version = statement.isOfPrimary ? undefined : await index.current();
      return version === undefined ? primary(statement, values) : readAt(version)(statement, values);
    },
    versions: { ...index, readAt },
  };
}

/**
 * Selects the version of the data. It contains a snapshot, and equal snapshots show the same committed transactions. The position
 * in the log cannot be the version, because a commit is in the log before other transactions can see it. After a crash or a
 * failover, the server assigns the transaction ids of lost transactions again. To distinguish such snapshots, the version also
 * contains the server's start time and its last checkpoint, because recovery ends with a checkpoint.
 */
const selectVersion: Statement<[format: string], DataVersion> = statement(
  `SELECT format($1, pg_current_snapshot(), pg_postmaster_start_time(), checkpoint_lsn) AS version
  FROM pg_control_checkpoint()`,
  textColumn("version"),
);

/**
 * Selects the version of the data for reads from standbys. The version contains a position in the primary's log, and a standby
 * may be read only after it has replayed the log up to this position.
 *
 * A standby may show a commit before the primary does. The version changes with each commit even then, because the position does.
 *
 * Normally, an acknowledged commit is already flushed to the log, so the position of the last flush is used. With
 * `synchronous_commit` off, it may not be flushed yet, so the position of the last inserted record is used.
 */
const selectIndex: Statement<[format: string], DataVersion> = statement(
  `SELECT format($1, ${LOG_TIMELINE},
    pg_wal_lsn_diff(CASE current_setting('synchronous_commit')
      WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END, '0/0'),
    pg_current_snapshot(), pg_postmaster_start_time(), checkpoint_lsn) AS version
  FROM pg_control_checkpoint()`,
  textColumn("version"),
);

/**
 * Returns the log position that is part of a version of the data. A standby must have replayed the primary's log up to this
 * position.
 */
function positionOf(version: DataVersion): LogPosition {
  const [timeline, bytes] = String(version).split(" ", 2);
  return { timeline: Number(timeline), bytes: Number(bytes) };
}

/**
 * Lets callers share a query. It is sent at the end of the current turn of the event loop, and its answer goes to all callers who
 * asked before that. A later caller waits for the next query, because the one already sent may miss a write that has been
 * acknowledged in the meantime.
 */
function sharing<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let next: Promise<Answer> | undefined;
  async function askLater(): Promise<Answer> {
    await new Promise((resolve) => setImmediate(resolve));
    next = undefined;
    return ask();
  }
  return () => {
    if (next === undefined) {
      next = askLater();
      // Callers handle a rejection of this query. If they have all given up by then, the empty handler prevents the rejection
      // from being reported as unhandled.
      next.catch(() => {});
    }
    return next;
  };
}

function shareQueries(run: AwaitedQuery): AwaitedQuery {
  const asking = new WeakMap<object, () => Promise<readonly unknown[]>>();
  return <Given extends Values, Result>(statement: Statement<Given, Result>, values: NoInfer<Given>) => {
    if (statement.isShared !== true) return run(statement, values);
    const ask = asking.get(statement) ?? sharing(() => run(statement, values));
    asking.set(statement, ask);
    return ask() as Promise<readonly Result[]>;
  };
}

/**
 * Creates the object that provides the version of the data (a read index, Raft §6.4). Callers in the same turn of the event loop
 * share one query.
 *
 * The version and the data may be read on different connections, as long as both lead to the same server. A standby is read only
 * after it has replayed the log up to the position in the version.
 *
 * If the server refuses the query, the version is undefined, and the data is treated as changed.
 */
function createReadIndex(read: Query, isForReplicas: boolean): Versions {
  async function ask(): Promise<DataVersion | undefined> {
    try {
      const [version] = await (isForReplicas
        ? read(selectIndex, [INDEX_FORMAT])
        : read(selectVersion, [FORMAT]));
      return version;
    } catch (error) {
      // A `ServiceError` means that the server cannot be reached. It is thrown at once, because reading the data would take just as
      // long, and would also fail.
      if (error instanceof ServiceError) throw error;
      return undefined;
    }
  }
  return { current: sharing(ask), lifeMs: VERSION_LIFE_MS };
}
