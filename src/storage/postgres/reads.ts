import { ServiceError } from "../../errors.ts";
import type { AwaitedQuery, Database, DataVersion, Query, Versions } from "../database.ts";
import { textColumn } from "../row.ts";
import { type Statement, statement, type Values } from "../statement.ts";
import type { LogPosition, Replicas } from "./replicas.ts";
import { LOG_TIMELINE } from "./session.ts";

const VERSION_LIFE_MS = 200; // if there is no request for this long, a page on PostgreSQL is read without first asking for its version
/**
 * The format of a version. It is passed as a parameter, because the driver prepares no statement without parameters, and planning a
 * statement takes as long as a round trip.
 */
const FORMAT = "%s %s %s";
const INDEX_FORMAT = "%s %s %s %s %s";

export type ReplicaRead = Replicas["read"];

/**
 * Creates the functions that read data and its version. Without standbys, they read from the primary. With standbys, a read goes to
 * one that has replayed the log up to the position that the primary had when the read began.
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
 * Selects the data's version, which is based on a snapshot: equal snapshots show the same committed transactions. A log position
 * would not work as a version, because a commit is in the log before it is visible. After a crash or a failover, the identifier of
 * a lost transaction is assigned again. To tell such snapshots apart, the version also includes the server's start time and its
 * last checkpoint, with which recovery ends.
 */
const selectVersion: Statement<[format: string], DataVersion> = statement(
  `SELECT format($1, pg_current_snapshot(), pg_postmaster_start_time(), checkpoint_lsn) AS version
  FROM pg_control_checkpoint()`,
  textColumn("version"),
);

/**
 * Selects the version for reads from standbys. It includes the log position that a standby must have replayed. A standby may show a
 * commit before its primary does, so the position after that commit must give a different version. Acknowledged commits are already
 * flushed, unless commits do not wait for the flush.
 */
const selectIndex: Statement<[format: string], DataVersion> = statement(
  `SELECT format($1, ${LOG_TIMELINE},
    pg_wal_lsn_diff(CASE current_setting('synchronous_commit')
      WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END, '0/0'),
    pg_current_snapshot(), pg_postmaster_start_time(), checkpoint_lsn) AS version
  FROM pg_control_checkpoint()`,
  textColumn("version"),
);

/** Extracts the log position from a data version. A standby must have replayed the primary's log up to this position. */
function positionOf(version: DataVersion): LogPosition {
  const [timeline, bytes] = String(version).split(" ", 2);
  return { timeline: Number(timeline), bytes: Number(bytes) };
}

/**
 * Lets callers share queries: one query at the end of a turn of the event loop answers everyone who asked before it was sent. Later
 * callers wait for the next query, because an earlier snapshot may lack a write that was acknowledged since.
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
      // The callers handle a rejection. If all of them have already been refused, the rejection must not be reported as unhandled.
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
 * Creates a read index (Raft §6.4). Everyone who asks for it in the same turn of the event loop shares one query.
 *
 * The data and its version may be read on two connections to the same server. A standby is read after it has replayed the log up to
 * the version's position.
 *
 * The version is undefined if the server refuses the query. Data is then read as if it had changed.
 */
function createReadIndex(read: Query, isForReplicas: boolean): Versions {
  async function ask(): Promise<DataVersion | undefined> {
    try {
      const [version] = await (isForReplicas
        ? read(selectIndex, [INDEX_FORMAT])
        : read(selectVersion, [FORMAT]));
      return version;
    } catch (error) {
      // The error is thrown at once. If the server cannot be reached, reading the data would take just as long and also fail.
      if (error instanceof ServiceError) throw error;
      return undefined;
    }
  }
  return { current: sharing(ask), lifeMs: VERSION_LIFE_MS };
}
