import type { ReservedSQL } from "bun";
import { ID_GAP } from "../../limits.ts";
import type { Loss } from "../identity/accept-loss.ts";
import { LAST_CATEGORY } from "../setting.ts";
import type { DatabaseName } from "../store-files.ts";
import { unlessUnsupported } from "./errors.ts";
import { withConnection } from "./migrator.ts";
import type { Connection } from "./session.ts";

/**
 * A constant that is used to compute the key of an advisory lock. The first process that writes to a schema on a new timeline takes
 * that lock.
 */
const TIMELINE_LOCK = 7_378_697_629_483_820_647n;

const lockOf = (schema: string) =>
  `SELECT pg_advisory_xact_lock(hashtextextended('${schema}', ${TIMELINE_LOCK}))`;

/** The names of sequences that store something other than identifiers. */
const RECORDS = "('timeline', 'origin')";

/**
 * Called before the first write of a connection to a schema. On a new timeline, or after a restore from a dump, this raises every
 * sequence above all identifiers that may already have been used: a failover loses identifiers that no standby has, and a dump
 * lacks identifiers that were assigned later. A schema without a recorded timeline is new, so nothing is raised.
 */
export async function adoptTimeline({ sql, timeline }: Connection, schema: string): Promise<void> {
  const origin = await originOf(sql, schema);
  const isKnown = `t.is_called AND t.last_value = ${timeline} AND o.last_value = ${origin}`;
  const [known] = await sql.unsafe(
    `SELECT FROM ${schema}.timeline AS t, ${schema}.origin AS o WHERE ${isKnown}`,
  );
  if (known !== undefined) return;
  await sql
    .unsafe(
      // These statements are sent as one message, so that the server runs them in one transaction. When they are done, the
      // connection can be used for other schemas.
      `${lockOf(schema)};
      DO $$ BEGIN
        IF EXISTS (SELECT FROM ${schema}.timeline AS t, ${schema}.origin AS o WHERE t.is_called AND NOT (${isKnown})) THEN
          ${raising(schema)}
        END IF;
        PERFORM setval('${schema}.timeline', ${timeline}), setval('${schema}.origin', ${origin});
      END $$`,
    )
    .simple();
}

/**
 * Raises the next identifiers of a whole store. This happens even if the recorded origin shows no restore, because a restore of
 * only the data does not change the origin.
 */
export function raiseAllIdentifiers(
  url: string,
  names: readonly DatabaseName[],
  prefix = "",
): Promise<readonly Loss[]> {
  return withConnection(url, async (sql) => {
    const steps = names.map((name) => `DO $$ BEGIN ${raising(prefix + name)} END $$`);
    await sql
      .unsafe(`${names.map((name) => lockOf(prefix + name)).join("; ")}; ${steps.join("; ")}`)
      .simple();
    return names.map((name) => ({
      name,
      loss: `New identifiers in ${name} start ${ID_GAP} higher than before.`,
    }));
  });
}

/** PL/pgSQL that raises all sequences and counters in a schema. */
function raising(schema: string): string {
  const raised = (value: string) => `least(${value} + ${ID_GAP}, ${Number.MAX_SAFE_INTEGER})`;
  return `PERFORM setval(format('%I.%I', schemaname, sequencename), ${raised("coalesce(last_value, 0)")})
      FROM pg_sequences WHERE schemaname = '${schema}' AND sequencename NOT IN ${RECORDS};
    IF to_regclass('${schema}.category') IS NOT NULL THEN
      INSERT INTO ${schema}.setting AS counter (name, value) VALUES ('${LAST_CATEGORY}', '${ID_GAP}')
        ON CONFLICT (name) DO UPDATE SET value = ${raised("counter.value::bigint")}::text;
    END IF;`;
}

/**
 * Computes a number that shows whether a schema was restored from a dump. It is computed from the identifiers of the cluster, of
 * the database, and of the schema's objects. A restore creates the objects again, so the computed number then differs from the
 * stored number, which the dump contains. After a failover, or in a copy of the server's files, the number is the same. The
 * cluster and the database are included because two restores into new clusters may create objects with equal identifiers.
 */
async function originOf(sql: ReservedSQL, schema: string): Promise<bigint> {
  const [cluster] = await unlessUnsupported(
    sql.unsafe<{ id: string }[]>("SELECT system_identifier::text AS id FROM pg_control_system()"),
    [],
  );
  const place = `concat_ws(' ', '${cluster?.id ?? ""}', oid, '${schema}.origin'::regclass::oid)`;
  const [row] = await sql.unsafe<{ origin: bigint }[]>(
    `SELECT greatest(hashtextextended(${place}, 0) & ${2n ** 63n - 1n}, 1) AS origin
      FROM pg_database WHERE datname = current_database()`,
  );
  if (row === undefined)
    throw new Error("The database server does not list the database of this connection.");
  return row.origin;
}
