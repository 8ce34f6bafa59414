import { IDEMPOTENCY_INTERVAL_MS } from "../../limits.ts";
import type { Maybe } from "../../platform/maybe.ts";
import { sha256 } from "../../platform/sha256.ts";
import type { IdempotencyRecord, Locks, Query, ResetPart } from "../../storage/database.ts";
import { bytesColumn, members, nullable, numberColumn, optional, textColumn } from "../../storage/row.ts";
import { type Row, type Statement, statement } from "../../storage/statement.ts";
import type { ResponseData } from "../response.ts";
import { ELAPSED, type RecordTimes } from "./elapsed-time.ts";

/** A request with an `Idempotency-Key`. The record of its response is identified by account, environment, path and key. */
export interface IdempotentRequest {
  readonly accountId: number;
  readonly environment: string;
  readonly path: string;
  readonly key: string;
  /** The parsed JSON of the body, which must be the same in a retry; undefined if the operation declares no body. */
  readonly json: unknown;
}

export interface StoredResponse {
  readonly fingerprint: Uint8Array;
  readonly response: ResponseData;
  /**
   * Identifier of the inserted row. The record does not need the response's body, because a retry sends the row's values again.
   */
  readonly resourceId: number | undefined;
}

type RecordName = IdempotencyRecord["name"];

type SelectRecord = Statement<RecordName & { oldest: number }, StoredResponse>;

/** Cached statements, one for each database engine, keyed by the engine's locking clause. */
const selects = new Map<Locks["share"], SelectRecord>();

/**
 * Returns the statement that selects the unexpired idempotency record of a key. The statement is created only once for each
 * database engine.
 */
function selectRecord(lockShared: Locks["share"]): SelectRecord {
  const known: SelectRecord =
    selects.get(lockShared) ??
    statement(
      `SELECT fingerprint, status, location, body, resource_id FROM idempotency_record
        WHERE account_id = $accountId AND environment = $environment AND path = $path AND idempotency_key = $key
          AND created_at > $oldest ${lockShared}`,
      decodeRecord,
    );
  selects.set(lockShared, known);
  return known;
}

const readRecord = members({
  fingerprint: bytesColumn,
  status: numberColumn,
  location: optional(textColumn),
  body: nullable(textColumn),
  resourceId: optional(numberColumn),
});

function decodeRecord(row: Row): StoredResponse {
  const { fingerprint, status, location, body, resourceId } = readRecord(row);
  const headers: Record<string, string> = { "Idempotent-Replayed": "true" };
  if (location !== undefined) headers["Location"] = location;
  if (body !== null) headers["Content-Type"] = "application/json";
  return { fingerprint, response: { status, headers, body }, resourceId };
}

/**
 * Inserts an idempotency record, or replaces an expired one. If another process has just written a record for the same key, the
 * transaction is retried.
 */
const putRecord: Statement<
  RecordName & {
    fingerprint: Uint8Array;
    status: number;
    location: string | null;
    body: string | null;
    now: number;
  }
> = {
  ...statement(
    `INSERT INTO idempotency_record
      (account_id, environment, path, idempotency_key, fingerprint, status, location, body, created_at)
    VALUES ($accountId, $environment, $path, $key, $fingerprint, $status, $location, $body, $now)
    ON CONFLICT (account_id, environment, path, idempotency_key) DO UPDATE SET
      fingerprint = excluded.fingerprint, status = excluded.status, location = excluded.location,
      body = excluded.body, created_at = excluded.created_at, resource_id = NULL`,
  ),
  isUnread: true,
};

export const pruneRecords: Statement<[oldest: number]> = statement(
  "DELETE FROM idempotency_record WHERE created_at <= $1",
);

const TEST_TIME =
  `COALESCE((SELECT CAST(value AS BIGINT) FROM setting WHERE name = '${ELAPSED}'), 0) + $1` as const;

/**
 * Corrects idempotency records whose time lies in the future because somebody moved the test clock back: it sets their time to the
 * current time. Otherwise, these records would expire much too late. A difference of a few minutes is ignored, because each process
 * counts the elapsed time by itself, and the counts may differ by that much.
 */
const clampRecords: Statement<[offsetMs: number]> = statement(
  `UPDATE idempotency_record SET created_at = ${TEST_TIME}
    WHERE created_at > ${TEST_TIME} + ${2 * IDEMPOTENCY_INTERVAL_MS}`,
);

export const idempotencyReset: ResetPart = { continuing: ["idempotency_record"], onClockSet: clampRecords };

/**
 * Finds the unexpired record of a request's key. The result is empty if there is no such record.
 *
 * @param lockShared the SQL clause that locks the record against changes, which depends on the database
 */
export function findRecord(
  query: Query,
  lockShared: Locks["share"],
  request: IdempotentRequest,
  { oldest }: RecordTimes,
): Maybe<readonly StoredResponse[]> {
  return query(selectRecord(lockShared), { ...nameOf(request), oldest });
}

export function putResponse(
  query: Query,
  request: IdempotentRequest,
  { now }: RecordTimes,
  { status, headers, body }: ResponseData,
): Maybe<unknown> {
  const location = headers["Location"] ?? null;
  const fingerprint = fingerprintOf(request.json);
  return query(putRecord, { ...nameOf(request), fingerprint, status, location, body, now });
}

export function nameOf({ accountId, environment, path, key }: IdempotentRequest): RecordName {
  return { accountId, environment, path, key };
}

/**
 * Returns the SHA-256 of a JSON value. White space and the order of members do not affect it. If the operation declares no body,
 * the empty text is hashed.
 */
export function fingerprintOf(json: unknown): Uint8Array {
  return sha256(Buffer.from(json === undefined ? "" : canonicalText(json)));
}

/** Writes a JSON value in a canonical form: without white space, with members sorted by name, and with all digits of integers. */
function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`).join()}}`;
  }
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}
