import { ServiceError, unavailable } from "../../errors.ts";
import { IDEMPOTENCY_PRUNE_INTERVAL_MS, RETRY_AFTER_SECONDS } from "../../limits.ts";
import { type Clock, startInterval } from "../../platform/clock.ts";
import { sha256 } from "../../platform/sha256.ts";
import {
  type Database,
  type Insertion,
  isInsertion,
  type Query,
  type SqlValue,
  type Statement,
} from "../../storage/database.ts";
import type { ResponseData } from "../response.ts";
import {
  findRecord,
  type IdempotentRequest,
  idempotencyRecordOf,
  pruneRecords,
  putAnswer,
  type StoredResponse,
} from "./record-store.ts";

export function fingerprintOf(body: Uint8Array): Uint8Array {
  return sha256(body);
}

/** Does what was asked through the query it is handed, and says what came of it. */
type Work = (query: Query) => Promise<ResponseData>;

export interface Idempotency {
  /**
   * Does `work` at most once for an attempt's key: the answer is recorded in the same transaction, and given again
   * to whoever comes with that key and the same body within 24 hours. What `work` throws is not recorded.
   *
   * @throws ServiceError `idempotency_in_progress`, `idempotency_key_reused`
   */
  run(attempt: IdempotentRequest, now: number, work: Work): Promise<ResponseData>;
  /** The same for work that is one insertion: in one statement, where the engine can. */
  insertIdempotent(attempt: IdempotentRequest, now: number, work: Work): Promise<ResponseData>;
  close(): Promise<void>;
}

export function createIdempotency(
  database: Database,
  clock: Clock,
  onError: (error: unknown) => void,
): Idempotency {
  const running = new Set<string>();
  const pruning = startInterval(
    clock,
    IDEMPOTENCY_PRUNE_INTERVAL_MS,
    () => pruneRecords(database, clock.now()),
    onError,
  );
  async function exclusive(
    attempt: IdempotentRequest,
    work: () => Promise<ResponseData>,
  ): Promise<ResponseData> {
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
      return await work();
    } finally {
      running.delete(name);
    }
  }

  function run(attempt: IdempotentRequest, now: number, work: Work): Promise<ResponseData> {
    return exclusive(attempt, () => database.write((query) => replayOrRecord(query, attempt, now, work)));
  }

  return {
    run,
    insertIdempotent: (attempt, now, work) =>
      database.insertIdempotent === undefined
        ? run(attempt, now, work)
        : exclusive(attempt, () => insertOrReplay(database, attempt, now, work)),
    close: pruning.close,
  };
}

async function replayOrRecord(
  query: Query,
  attempt: IdempotentRequest,
  now: number,
  work: Work,
): Promise<ResponseData> {
  const recorded = await findRecord(query, attempt, now);
  if (recorded !== undefined) return replay(recorded, attempt, work);
  const answer = await work(query);
  await putAnswer(query, attempt, now, answer);
  return answer;
}

/** The insertion found a record in its way. */
class AlreadyRecorded extends Error {
  override readonly name = "AlreadyRecorded";
}

async function insertOrReplay(
  database: Database,
  attempt: IdempotentRequest,
  now: number,
  work: Work,
): Promise<ResponseData> {
  const record = idempotencyRecordOf(attempt, now);
  try {
    return await work(async (statement, values = []) => {
      const made = await database.insertIdempotent?.(requireInsertion(statement), values, record);
      if (made === undefined || made.length === 0) throw new AlreadyRecorded();
      return made;
    });
  } catch (error) {
    if (!(error instanceof AlreadyRecorded)) throw error;
  }
  const recorded = await findRecord(database.read, attempt, now);
  if (recorded === undefined)
    throw unavailable("The first answer is not there any more. Try again.", RETRY_AFTER_SECONDS);
  return replay(recorded, attempt, work);
}

/** @throws ServiceError `idempotency_key_reused` */
async function replay(
  recorded: StoredResponse,
  { fingerprint }: IdempotentRequest,
  work: Work,
): Promise<ResponseData> {
  if (Buffer.compare(recorded.fingerprint, fingerprint) !== 0) {
    throw new ServiceError(
      "idempotency_key_reused",
      "This Idempotency-Key was already used with a different request body.",
    );
  }
  const { answer, resourceId } = recorded;
  if (resourceId === undefined) return answer;
  // The same body asks for the same row: with the identifier it was given, it is the row that was made.
  const again = await work(async (statement, values = []) => [
    rebuildRow(requireInsertion(statement), values, resourceId),
  ]);
  return { ...again, headers: { ...answer.headers, ...again.headers } };
}

function rebuildRow<Result>(
  { columns, decode }: Insertion<Result>,
  values: readonly SqlValue[],
  id: number,
): Result {
  const cells = Object.keys(columns).map((column, index): [string, SqlValue] => {
    const value = values[index] ?? null;
    return [column, typeof value === "number" ? BigInt(value) : value];
  });
  return decode({ id: BigInt(id), ...Object.fromEntries(cells) });
}

function requireInsertion<Result>(statement: Statement<Result>): Insertion<Result> {
  if (isInsertion(statement)) return statement;
  throw new TypeError("Only an insertion can be done once in one statement.");
}
