import { IDEMPOTENCY_RETENTION_MS } from "../../limits.ts";
import {
  type Database,
  type IdempotencyRecord,
  noRows,
  type Query,
  type Statement,
} from "../../storage/database.ts";
import { bytesColumn, numberColumn, optional, textColumn } from "../../storage/row.ts";
import type { ResponseData } from "../response.ts";

/** One client's wish to have something done once: whose, where, and under which name. */
export interface IdempotentRequest {
  readonly accountId: number;
  readonly environment: string;
  readonly path: string;
  readonly key: string;
  /** SHA-256 of the request body. */
  readonly fingerprint: Uint8Array;
}

/** What an earlier request with the same key came to. */
export interface StoredResponse {
  readonly fingerprint: Uint8Array;
  readonly answer: ResponseData;
  /** In place of a body: the row that was made has this identifier and the values of the request. */
  readonly resourceId: number | undefined;
}

const selectRecord: Statement<StoredResponse> = {
  sql: `SELECT fingerprint, status, location, body, resource_id FROM idempotency_record
    WHERE account_id = $1 AND environment = $2 AND path = $3 AND idempotency_key = $4 AND created_at > $5`,
  decode(row) {
    const location = optional(row, "location", textColumn);
    const headers: Record<string, string> = { "Idempotent-Replayed": "true" };
    if (location !== undefined) headers["Location"] = location;
    const body = optional(row, "body", textColumn) ?? null;
    if (body !== null) headers["Content-Type"] = "application/json";
    return {
      fingerprint: bytesColumn(row, "fingerprint"),
      answer: { status: numberColumn(row, "status"), headers, body },
      resourceId: optional(row, "resource_id", numberColumn),
    };
  },
};

/**
 * Takes the place of an expired record. One that another process has just written is a conflict between
 * transactions, which has the whole work run again: it finds the record then.
 */
const putRecord: Statement<undefined> = {
  sql: `INSERT INTO idempotency_record
      (account_id, environment, path, idempotency_key, fingerprint, status, location, body, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    ON CONFLICT (account_id, environment, path, idempotency_key) DO UPDATE SET
      fingerprint = excluded.fingerprint, status = excluded.status, location = excluded.location,
      body = excluded.body, created_at = excluded.created_at, resource_id = NULL`,
  decode: noRows,
};

const removeExpired: Statement<undefined> = {
  sql: "DELETE FROM idempotency_record WHERE created_at <= $1",
  decode: noRows,
};

export async function findRecord(
  query: Query,
  attempt: IdempotentRequest,
  now: number,
): Promise<StoredResponse | undefined> {
  const [recorded] = await query(selectRecord, [...nameOf(attempt), oldestAt(now)]);
  return recorded;
}

/** Keeps an answer for whoever comes with this key again. */
export async function putAnswer(
  query: Query,
  attempt: IdempotentRequest,
  now: number,
  answer: ResponseData,
): Promise<void> {
  const { status, headers, body } = answer;
  const location = headers["Location"] ?? null;
  await query(putRecord, [...nameOf(attempt), attempt.fingerprint, status, location, body, now]);
}

/** What the engine writes beside a row that it makes. */
export function idempotencyRecordOf(attempt: IdempotentRequest, now: number): IdempotencyRecord {
  return { name: nameOf(attempt), fingerprint: attempt.fingerprint, now, oldest: oldestAt(now) };
}

export async function pruneRecords(database: Database, now: number): Promise<void> {
  await database.write((query) => query(removeExpired, [oldestAt(now)]));
}

function nameOf({ accountId, environment, path, key }: IdempotentRequest): IdempotencyRecord["name"] {
  return [accountId, environment, path, key];
}

function oldestAt(now: number): number {
  return now - IDEMPOTENCY_RETENTION_MS;
}
