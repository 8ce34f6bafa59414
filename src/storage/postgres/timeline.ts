import { ID_GAP } from "../../limits.ts";
import type { Connection } from "./session.ts";

/** Advisory lock of the first process that writes to a schema on a new timeline. */
const TIMELINE_LOCK = 7_378_697_629_483_820_647n;

/**
 * Called before the first write to a schema on a timeline: raises every sequence above the identifiers that a primary of an
 * earlier timeline may have assigned without sending them to its standby. Without a recorded timeline, it is the schema's
 * first.
 */
export async function adoptTimeline({ sql, timeline }: Connection, schema: string): Promise<void> {
  const [known] = await sql.unsafe(
    `SELECT FROM ${schema}.timeline WHERE is_called AND last_value = ${timeline}`,
  );
  if (known !== undefined) return;
  await sql
    .unsafe(
      `BEGIN; SELECT pg_advisory_xact_lock(${TIMELINE_LOCK});
      DO $$ BEGIN
        PERFORM setval(format('%I.%I', schemaname, sequencename), least(coalesce(last_value, 0) + ${ID_GAP}, ${Number.MAX_SAFE_INTEGER}))
          FROM pg_sequences WHERE schemaname = '${schema}' AND sequencename <> 'timeline'
            AND EXISTS (SELECT FROM ${schema}.timeline WHERE is_called AND last_value <> ${timeline});
        PERFORM setval('${schema}.timeline', ${timeline});
      END $$; COMMIT`,
    )
    .simple();
}
