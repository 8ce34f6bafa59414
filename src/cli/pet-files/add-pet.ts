import { type Client, PetstoreError } from "../../../client/src/client.ts";
import { IMPORT_CALL_MS, IMPORT_RETRIES } from "../../limits.ts";
import { systemClock } from "../../platform/clock.ts";
import type { AddOutcome } from "./import.ts";
import type { NewPet } from "./parse-pets.ts";

/** What passes by itself, however long it takes. */
const WAITED_CODES: readonly string[] = ["rate_limited", "idempotency_in_progress"];
/** What the service says of one line, and would not say of another. */
const LINE_STATUSES: readonly number[] = [400, 409, 413, 422];

/**
 * Adds the animal of one line, and waits as long as the service asks it to.
 *
 * @throws PetstoreError, PetstoreConnectionError for what no other line would fare better with
 */
export async function addAnimal(
  client: Client,
  animal: NewPet,
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
      await client.pets.create(animal, call);
      return isReplayed ? "already there" : "added";
    } catch (error) {
      if (!(error instanceof PetstoreError)) throw error;
      const isWaited = WAITED_CODES.includes(error.code);
      if (!isWaited && LINE_STATUSES.includes(error.status)) return { refusal: error.message };
      if (!isWaited || stop.aborted) throw error;
      await systemClock.wait((error.retryAfterSeconds ?? 1) * 1000, stop);
    }
  }
}
