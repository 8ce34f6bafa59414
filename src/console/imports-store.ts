import type { Int64 } from "exact-json/int64";
import { decodeEvent, EVENT_COLUMNS, type StoredEvent } from "../events/store.ts";
import { IMPORT_PREFIX, TIME_LENGTH } from "../pet-files/import-identity.ts";
import type { Query } from "../storage/database.ts";
import { bigintColumn, members, textColumn, timeColumn } from "../storage/row.ts";
import { noRows, type SqlValue, type Statement, statement } from "../storage/statement.ts";

/** The maximum number of events that one statement reads. */
export const EVENTS_LOOKED_MAX = 20_000;

/** Selects events in a range of identifiers, newest first. Selects only events of requests whose identifiers match a pattern. */
export const selectEventsOfRequests: Statement<
  { pattern: string; above: bigint; below: bigint; limit: number },
  StoredEvent
> = {
  ...statement(
    `SELECT ${EVENT_COLUMNS} FROM event WHERE request_id LIKE $pattern ESCAPE '!' AND id > $above AND id < $below
      ORDER BY id DESC LIMIT CAST($limit AS BIGINT)`,
    decodeEvent,
  ),
  isOfPrimary: true,
};

/** Selects the identifier of the newest request that changed an animal, or an order for it, after an event. */
export const selectLaterRequest: Statement<[petId: Int64, eventId: Int64], string> = statement(
  "SELECT request_id FROM event WHERE pet_id = $1 AND id > $2 ORDER BY id DESC LIMIT 1",
  textColumn("request_id"),
);

const readPosition = members({ id: bigintColumn, createdAt: timeColumn });

export const selectEventBelow: Statement<
  [below: bigint],
  { readonly id: bigint; readonly createdAt: string }
> = {
  ...statement("SELECT id, created_at FROM event WHERE id < $1 ORDER BY id DESC LIMIT 1", readPosition),
  isOfPrimary: true,
};

export const selectOldestTime: Statement<[], string> = statement(
  "SELECT created_at FROM event ORDER BY id LIMIT 1",
  timeColumn("created_at"),
);

const IMPORT_NAMES = "name LIKE 'import!_%' ESCAPE '!'";

/** Selects the file names of imports. They are stored as settings, keyed by the identity of the import. */
export const selectImportNames: Statement<[], { readonly identity: string; readonly file: string }> =
  statement(
    `SELECT name AS identity, value AS file FROM setting WHERE ${IMPORT_NAMES}`,
    members({ identity: textColumn, file: textColumn }),
  );

/** Deletes the stored file names of imports that began before a time, which must have the format of import identities. */
export const forgetImportNames: Statement<[time: string]> = {
  sql: `DELETE FROM setting WHERE ${IMPORT_NAMES} AND substr(name, ${IMPORT_PREFIX.length + 1}, ${TIME_LENGTH}) < $1`,
  decode: noRows,
};

/** The maximum number of events that are undone in one transaction. */
export const UNDONE_MAX = 100;

const PARAMETERS = Array.from({ length: UNDONE_MAX }, (_, index) => `$${index + 2}`).join();

const forgetRecords: Statement<readonly SqlValue[]> = {
  // The condition on the key repeats the condition of the partial index for imports, so that the database uses this index.
  sql: `DELETE FROM idempotency_record WHERE path = $1 AND idempotency_key LIKE 'import-%' AND resource_id IN (${PARAMETERS})`,
  decode: noRows,
};

/**
 * Deletes the recorded responses to the requests that added the given animals, so that repeating such a request adds the animal
 * again.
 */
export async function forgetCreations(query: Query, path: string, petIds: readonly Int64[]): Promise<void> {
  const last = petIds.at(-1);
  if (last === undefined) return;
  await query(forgetRecords, [path, ...petIds, ...new Array<Int64>(UNDONE_MAX - petIds.length).fill(last)]);
}
