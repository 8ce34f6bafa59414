import { IDEMPOTENCY_KEY_PATTERN } from "../../contract/openapi/headers.ts";
import { ServiceError, unavailable } from "../../errors.ts";
import { IDEMPOTENCY_KEY_LENGTH_MAX } from "../../limits.ts";
import type { Clock } from "../../platform/clock.ts";
import { andThen, type Maybe } from "../../platform/maybe.ts";
import type { BeforeSending, Database, Locks, Query } from "../../storage/database.ts";
import { type Insertion, isInsertion, rowOf } from "../../storage/insertion.ts";
import type { SqlValue, Statement } from "../../storage/statement.ts";
import type { ResponseData } from "../response.ts";
import { openElapsedTime, type RecordTimes, type TestClock } from "./elapsed-time.ts";
import {
  findRecord,
  fingerprintOf,
  type IdempotentRequest,
  nameOf,
  pruneRecords,
  putResponse,
  type StoredResponse,
} from "./record-store.ts";

type Work = (query: Query) => Maybe<ResponseData>;

export async function openIdempotency(database: Database, clock: Clock, testClock?: TestClock) {
  const running = new Set<string>();
  const elapsed = await openElapsedTime(database, clock, testClock);
  async function exclusive(
    request: IdempotentRequest,
    work: (times: RecordTimes) => Promise<ResponseData>,
  ): Promise<ResponseData> {
    const name = JSON.stringify(nameOf(request));
    if (running.has(name)) {
      throw new ServiceError(
        "idempotency_in_progress",
        "A request with this Idempotency-Key is still being processed.",
        { headers: { "Retry-After": "1" } },
      );
    }
    running.add(name);
    try {
      return await work(elapsed.times());
    } finally {
      running.delete(name);
    }
  }

  function run(request: IdempotentRequest, work: Work, owner?: string): Promise<ResponseData> {
    return exclusive(request, (times) => {
      const recorded = (query: Query) => replayOrRecord(query, database.locks.share, request, times, work);
      return database.write(recorded, undefined, owner);
    });
  }

  return {
    /**
     * Executes `work` at most once for a request's key: the response is recorded in the same transaction, and replayed for
     * the same key and body within 24 hours, by a clock that is never set. An error thrown by `work` is not recorded.
     *
     * @throws ServiceError `idempotency_in_progress`, `idempotency_key_reused`
     */
    run,
    /** Executes a `single-insert` change at most once per key, like `run`; in one statement if the engine can. */
    insertIdempotent: (request: IdempotentRequest, work: Work, beforeSending: BeforeSending) =>
      database.insertIdempotent === undefined
        ? run(request, work)
        : exclusive(request, (times) => insertOrReplay(database, request, times, work, beforeSending)),
    /** Stores the elapsed time and deletes expired records: every `IDEMPOTENCY_INTERVAL_MS`, and at the end. */
    async saveTime() {
      await database.run(pruneRecords, [await elapsed.save()]);
    },
  };
}

export type Idempotency = Awaited<ReturnType<typeof openIdempotency>>;

function replayOrRecord(
  query: Query,
  lockShared: Locks["share"],
  request: IdempotentRequest,
  times: RecordTimes,
  work: Work,
): Maybe<ResponseData> {
  return andThen(findRecord(query, lockShared, request, times), ([recorded]) => {
    if (recorded !== undefined) return replay(recorded, request, work);
    return andThen(work(query), (response) =>
      andThen(putResponse(query, request, times, response), () => response),
    );
  });
}

async function insertOrReplay(
  database: Database,
  request: IdempotentRequest,
  times: RecordTimes,
  work: Work,
  beforeSending: BeforeSending,
): Promise<ResponseData> {
  const fingerprint = fingerprintOf(request.json);
  // Every response to an insertion is a 201.
  const record = { name: nameOf(request), fingerprint, status: 201, ...times };
  let isRecorded = false;
  try {
    return await work(async (statement, values) => {
      const rows = await database.insertIdempotent?.(
        requireInsertion(statement),
        values,
        record,
        beforeSending,
      );
      if (rows !== undefined && rows.length > 0) return rows;
      // The insertion found a valid record of the same key.
      isRecorded = true;
      throw new Error("The request is recorded already.");
    });
  } catch (error) {
    if (!isRecorded) throw error;
  }
  const [recorded] = await findRecord(database.run, database.locks.share, request, times);
  if (recorded === undefined) throw unavailable("The recorded response has just expired. Try again.");
  return replay(recorded, request, work);
}

/** The response recorded for a retried request. @throws ServiceError `idempotency_key_reused` for another body */
async function replay(
  recorded: StoredResponse,
  { json }: IdempotentRequest,
  work: Work,
): Promise<ResponseData> {
  if (json !== undefined && Buffer.compare(recorded.fingerprint, fingerprintOf(json)) !== 0) {
    throw new ServiceError(
      "idempotency_key_reused",
      "This Idempotency-Key was already used with a different request body.",
    );
  }
  const { response, resourceId } = recorded;
  if (resourceId === undefined) return response;
  // The row of a `single-insert` follows from the request's body, whose value is the same.
  const rebuilt = await work(async (statement, values) => [
    rowOf(requireInsertion(statement), values, BigInt(resourceId)),
  ]);
  return { ...rebuilt, headers: { ...response.headers, ...rebuilt.headers } };
}

function requireInsertion<Values extends readonly SqlValue[], Result>(
  statement: Statement<Values, Result>,
): Insertion<Values, Result> {
  if (isInsertion(statement)) return statement;
  throw new TypeError("Only an insertion has an idempotency record that names a row.");
}

/** Reads `Idempotency-Key`, an RFC 8941 §3.3.3 string with or without quotes. @throws ServiceError `invalid_request` */
export function readIdempotencyKey({ method, headers }: Request): string | undefined {
  const header = headers.get("idempotency-key");
  if (header === null || method !== "POST") return undefined;
  if (!IDEMPOTENCY_KEY_PATTERN.test(header)) {
    throw new ServiceError(
      "invalid_request",
      `Idempotency-Key must be 1 to ${IDEMPOTENCY_KEY_LENGTH_MAX} visible ASCII characters.`,
    );
  }
  return header.startsWith('"') ? header.slice(1, -1).replaceAll(/\\(["\\])/g, "$1") : header;
}
