import type { ReservedSQL } from "bun";
import { members, numberColumn, singleRow } from "../row.ts";
import type { Statement, Values } from "../statement.ts";
import { execute } from "./connection.ts";
import type { Standby } from "./connections.ts";
import { withDeadline } from "./deadline.ts";
import type { PooledConnection } from "./pool.ts";

const REPLICA_DEADLINE_MS = 500; // longest time for a read from a standby, including the wait until the standby has replayed enough of the log; after that, the read goes to the primary
const REPLAY_PAUSE_MS = 1; // interval at which a standby is asked how much of the log it has replayed

export interface LogPosition {
  readonly timeline: number;
  readonly bytes: number;
}

export interface Replicas {
  /**
   * Reads from a standby that has replayed the log up to a position. Returns undefined if no standby reaches the position in time.
   */
  read<Result>(
    position: LogPosition,
    statement: Statement<never, Result>,
    values: Values,
  ): Promise<readonly Result[] | undefined>;
}

type Replica = Replicas & { isResting(): boolean };

/**
 * Sends reads to the standbys in turn. A standby that fails or is too far behind is skipped for a while. All reads at the same
 * position in the log go to the same standby. If that standby fails, the remaining reads at this position go to the primary,
 * because a different standby may not have the changes that were already read.
 */
export function createReplicas(standbys: readonly Standby[], schema: string): Replicas {
  const replicas = standbys.map((standby) => createReplica(standby, schema));
  const chosen = new WeakMap<LogPosition, Replica | "primary">();
  let turn = 0;
  function choose(position: LogPosition) {
    const usable = replicas.filter((replica) => !replica.isResting());
    const replica = chosen.get(position) ?? usable[turn++ % usable.length] ?? "primary";
    chosen.set(position, replica);
    return replica;
  }
  return {
    async read(position, statement, values) {
      const replica = choose(position);
      const isAway = replica === "primary" || replica.isResting();
      const rows = isAway ? undefined : await replica.read(position, statement, values);
      if (rows === undefined) chosen.set(position, "primary");
      return rows;
    },
  };
}

/**
 * Selects the log position that a standby has replayed up to. A server in recovery does not reveal its timeline, so the timeline is
 * read from the schema: the service records it there on each new primary. A standby with an older timeline lacks newer changes,
 * even if its position in the log is higher.
 */
const selectReplayed = (schema: string): Statement<[], LogPosition> => ({
  sql: `SELECT last_value AS timeline, coalesce(pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0'), 0)::bigint AS bytes
    FROM ${schema}.timeline WHERE pg_is_in_recovery()`,
  decode: members({ timeline: numberColumn, bytes: numberColumn }),
});

function createReplica({ pool, isResting, rest }: Standby, schema: string): Replica {
  const replayed = selectReplayed(schema);
  /** The last known log position of each standby, keyed by connection. A connection leads to the same server until it is closed. */
  const looks = new WeakMap<ReservedSQL, Look>();

  /** Reads the log position of a standby. Rejects if the query returns no row, because the server is then a primary. */
  const look = async (connection: PooledConnection) =>
    singleRow(await execute(connection, replayed, [], "cancel"));
  /**
   * Waits until a standby has replayed the log up to a position, so that later statements see everything before that position.
   * Waiting reads share one query for the standby's position.
   */
  async function replay(connection: PooledConnection, position: LogPosition, endsAt: number) {
    const known: Look = looks.get(connection.sql) ?? { next: undefined };
    looks.set(connection.sql, known);
    while (!hasReached(known.seen, position)) {
      if (performance.now() > endsAt) throw new Error("The standby is behind the primary.");
      known.next ??= look(connection).finally(() => {
        known.next = undefined;
      });
      known.seen = await known.next;
      if (!hasReached(known.seen, position)) await Bun.sleep(REPLAY_PAUSE_MS);
    }
  }

  return {
    isResting,
    async read(position, statement, values) {
      const endsAt = performance.now() + REPLICA_DEADLINE_MS;
      const answer = pool.share(async (connection) => {
        await replay(connection, position, endsAt);
        return execute(connection, statement, values, "cancel");
      });
      try {
        return await withDeadline(answer, REPLICA_DEADLINE_MS);
      } catch {
        // An error of a standby is ignored: if the statement itself is wrong, the primary will report that, too.
        rest();
        return undefined;
      }
    },
  };
}

interface Look {
  seen?: LogPosition;
  next: Promise<LogPosition> | undefined;
}

function hasReached(seen: LogPosition | undefined, position: LogPosition): boolean {
  return seen !== undefined && seen.timeline === position.timeline && seen.bytes >= position.bytes;
}
