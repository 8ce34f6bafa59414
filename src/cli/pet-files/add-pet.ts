import { type Client, PetstoreError } from "../../../client/src/client.ts";
import { type AddOutcome, LINE_STATUSES } from "../../pet-files/import-pets.ts";
import type { NewPet } from "../../pet-files/new-pet.ts";
import { systemClock } from "../../platform/clock.ts";

const IMPORT_RETRIES = 3; // of a line after a transient failure; then it counts as failed
const IMPORT_CALL_MS = 60_000; // for one line of an import, its retries included

/** These pass with time, however long that takes. */
const RETRIED_CODES: readonly string[] = ["rate_limited", "idempotency_in_progress"];

/**
 * Adds the animal of one line. When the service refuses it for now, waits for `Retry-After` and tries again.
 *
 * @throws PetstoreError, PetstoreConnectionError for a failure that every other line would meet too
 */
export async function addPet(
  client: Client,
  pet: NewPet,
  idempotencyKey: string,
  stop: AbortSignal,
): Promise<AddOutcome> {
  let isReplayed = false;
  const call = {
    idempotencyKey,
    retries: IMPORT_RETRIES,
    timeoutMs: IMPORT_CALL_MS,
    onAnswer: ({ headers }: { readonly headers: Headers }) => {
      isReplayed = headers.has("Idempotent-Replayed");
    },
  };
  for (;;) {
    try {
      await client.pets.create(pet, call);
      return isReplayed ? "already there" : "added";
    } catch (error) {
      if (!(error instanceof PetstoreError)) throw error;
      const isRetried = RETRIED_CODES.includes(error.code);
      if (!isRetried && LINE_STATUSES.includes(error.status)) return { refusal: error.message };
      if (!isRetried || stop.aborted) throw error;
      await systemClock.wait((error.retryAfterSeconds ?? 1) * 1000, stop);
    }
  }
}
