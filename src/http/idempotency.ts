import { createHash } from "node:crypto";
import { type Clock, repeat } from "../clock.ts";
import { ServiceError } from "../errors.ts";
import {
  IDEMPOTENCY_KEY_LENGTH_MAX,
  IDEMPOTENCY_PRUNE_INTERVAL_MS,
  IDEMPOTENCY_RETENTION_MS,
} from "../limits.ts";
import { type Database, nothing, type Query, type Statement } from "../storage/database.ts";
import { bytesColumn, numberColumn, optional, textColumn } from "../storage/row.ts";
import type { Answer } from "./answer.ts";

/** One client's wish to have something done once: whose, where, and under which name. */
export interface Attempt {
  readonly accountId: number;
  readonly environment: string;
  readonly path: string;
  readonly key: string;
  /** SHA-256 of the request body. */
  readonly fingerprint: Uint8Array;
}

interface Recorded {
  readonly fingerprint: Uint8Array;
  readonly answer: Answer;
}

const selectRecord: Statement<Recorded> = {
  sql: `SELECT fingerprint, status, location, body FROM idempotency_record
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
      body = excluded.body, created_at = excluded.created_at`,
  decode: nothing,
};

const pruneRecords: Statement<undefined> = {
  sql: "DELETE FROM idempotency_record WHERE created_at <= $1",
  decode: nothing,
};

/**
 * The key of an `Idempotency-Key` header, if a POST has one: a Structured Field string (RFC 8941 §3.3.3), or the
 * same without its quotes.
 *
 * @throws ServiceError `invalid_request`
 */
export function readIdempotencyKey({ method, headers }: Request): string | undefined {
  const header = headers.get("idempotency-key");
  if (header === null || method !== "POST") return undefined;
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header)?.[1];
  const key = quoted === undefined ? header : quoted.replaceAll(/\\(["\\])/g, "$1");
  const isUnfinished = quoted === undefined && header.startsWith('"');
  if (isUnfinished || !/^[\x21-\x7e]+$/.test(key) || key.length > IDEMPOTENCY_KEY_LENGTH_MAX) {
    throw new ServiceError(
      "invalid_request",
      `Idempotency-Key must be 1 to ${IDEMPOTENCY_KEY_LENGTH_MAX} visible ASCII characters.`,
    );
  }
  return key;
}

export function fingerprintOf(body: Uint8Array): Uint8Array {
  return createHash("sha256").update(body).digest();
}

export interface Idempotency {
  /**
   * Does `work` at most once for an attempt's key: the answer is recorded in the same transaction, and given again
   * to whoever comes with that key and the same body within 24 hours. What `work` throws is not recorded.
   *
   * @throws ServiceError `idempotency_in_progress`, `idempotency_key_reused`
   */
  once(attempt: Attempt, now: number, work: (query: Query) => Promise<Answer>): Promise<Answer>;
  close(): Promise<void>;
}

export function createIdempotency(
  database: Database,
  clock: Clock,
  onError: (error: unknown) => void,
): Idempotency {
  const running = new Set<string>();
  const pruning = repeat(clock, IDEMPOTENCY_PRUNE_INTERVAL_MS, () => prune(database, clock.now()), onError);
  return {
    async once(attempt, now, work) {
      const name = JSON.stringify([attempt.accountId, attempt.environment, attempt.path, attempt.key]);
      if (running.has(name)) {
        throw new ServiceError(
          "idempotency_in_progress",
          "A request with this Idempotency-Key is still being processed.",
          { headers: { "Retry-After": "1" } },
        );
      }
      running.add(name);
      try {
        return await database.write((query) => replayOrRecord(query, attempt, now, work));
      } finally {
        running.delete(name);
      }
    },
    close: pruning.close,
  };
}

async function replayOrRecord(
  query: Query,
  { accountId, environment, path, key, fingerprint }: Attempt,
  now: number,
  work: (query: Query) => Promise<Answer>,
): Promise<Answer> {
  const name = [accountId, environment, path, key];
  const oldest = now - IDEMPOTENCY_RETENTION_MS;
  const [recorded] = await query(selectRecord, [...name, oldest]);
  if (recorded === undefined) {
    const answer = await work(query);
    const { status, headers, body } = answer;
    const values = [...name, fingerprint, status, headers["Location"] ?? null, body, now];
    await query(putRecord, values);
    return answer;
  }
  if (Buffer.compare(recorded.fingerprint, fingerprint) !== 0) {
    throw new ServiceError(
      "idempotency_key_reused",
      "This Idempotency-Key was already used with a different request body.",
    );
  }
  return recorded.answer;
}

async function prune(database: Database, now: number): Promise<void> {
  await database.write((query) => query(pruneRecords, [now - IDEMPOTENCY_RETENTION_MS]));
}
