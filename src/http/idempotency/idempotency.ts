import { IDEMPOTENCY_KEY_PATTERN } from "../../contract/openapi/headers.ts";
import { ServiceError, unavailable } from "../../errors.ts";
import { IDEMPOTENCY_KEY_LENGTH_MAX } from "../../limits.ts";
import type { Clock } from "../../platform/clock.ts";
import { andThen, type Maybe } from "../../platform/maybe.ts";
import type { BeforeSending, Creation, Database, Locks, Query } from "../../storage/database.ts";
import { rowOf } from "../../storage/insertion.ts";
import { singleRow } from "../../storage/row.ts";
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
/** Encodes the response to a request that has created a row. */
type EncodeRow = (row: unknown) => ResponseData;

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

  return {
    /**
     * Executes `work` at most once for each idempotency key. The response is recorded in the same transaction. If the client
     * sends the key with the same body again within 24 hours, the response is replayed. The 24 hours are measured by a clock that
     * nobody can set. An error that `work` throws is not recorded.
     *
     * @throws ServiceError `idempotency_in_progress`, `idempotency_key_reused`
     */
    run: (request: IdempotentRequest, work: Work, owner?: string) =>
      exclusive(request, (times) => {
        const recorded = (query: Query) => replayOrRecord(query, database.locks.share, request, times, work);
        return database.write(recorded, undefined, owner);
      }),
    /**
     * Creates a row at most once for each idempotency key. The record contains only the row's identifier, from which a replay
     * rebuilds the response.
     */
    create: (
      request: IdempotentRequest,
      creation: Creation<unknown>,
      encode: EncodeRow,
      beforeSending: BeforeSending,
    ) =>
      exclusive(request, (times) => {
        // The recorded status is always 201, because this function only inserts rows.
        const fingerprint = fingerprintOf(request.json);
        const record = { name: nameOf(request), fingerprint, outcome: 201, ...times };
        const creating = database.create(creation, { record, beforeSending });
        return creating.then((rows) => {
          if (rows.length > 0) return encode(singleRow(rows));
          return replayRow(database, request, times, creation, encode);
        });
      }),
    /** Stores the elapsed time and deletes expired records. Called every `IDEMPOTENCY_INTERVAL_MS`, and when the process ends. */
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
    if (recorded !== undefined) return replay(recorded, request);
    return andThen(work(query), (response) =>
      andThen(putResponse(query, request, times, response), () => response),
    );
  });
}

/** Returns the recorded response to a retried request. @throws ServiceError `idempotency_key_reused` if the body differs */
function replay({ fingerprint, response }: StoredResponse, { json }: IdempotentRequest): ResponseData {
  if (json === undefined || Buffer.compare(fingerprint, fingerprintOf(json)) === 0) return response;
  throw new ServiceError(
    "idempotency_key_reused",
    "This Idempotency-Key was already used with a different request body.",
  );
}

/** Rebuilds the response to a retried creation from the body of the retry, which equals the body of the first request. */
async function replayRow(
  { run, locks }: Database,
  request: IdempotentRequest,
  times: RecordTimes,
  { insertion, values }: Creation<unknown>,
  encode: EncodeRow,
): Promise<ResponseData> {
  const [recorded] = await findRecord(run, locks.share, request, times);
  if (recorded === undefined) throw unavailable("The stored response has just expired. Try again.");
  const response = replay(recorded, request);
  if (recorded.resourceId === undefined) return response;
  const rebuilt = encode(rowOf(insertion, values, BigInt(recorded.resourceId)));
  return { ...rebuilt, headers: { ...response.headers, ...rebuilt.headers } };
}

/** Reads `Idempotency-Key`, an RFC 8941 §3.3.3 string with or without quotes. @throws ServiceError `invalid_request` */
export function readIdempotencyKey(method: string, headers: Pick<Headers, "get">): string | undefined {
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
