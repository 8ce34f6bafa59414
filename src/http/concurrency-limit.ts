import type { KeyId } from "../context.ts";
import { unavailable } from "../errors.ts";
import type { ShareCheck } from "./key-shares.ts";

export const REQUESTS_IN_FLIGHT_MAX = 512; // in one process; more are answered 503 at once

/**
 * A semaphore without a queue over the requests of one process. Requests above the limit are refused at once: a queue would
 * only make every response slower.
 *
 * @param onRejected called for each refused request
 */
export function createConcurrencyLimit(requireShare: ShareCheck, onRejected: () => void) {
  let active = 0;
  const byKey = new Map<KeyId, number>();

  function acquireOne(keyId: KeyId) {
    const held = byKey.get(keyId) ?? 0;
    requireShare("requests", keyId, held);
    if (active >= REQUESTS_IN_FLIGHT_MAX) {
      onRejected();
      throw unavailable("Too many requests are under way. Try again.");
    }
    active++;
    byKey.set(keyId, held + 1);
  }

  function releaseOne(keyId: KeyId) {
    active--;
    const held = byKey.get(keyId) ?? 1;
    if (held > 1) byKey.set(keyId, held - 1);
    else byKey.delete(keyId);
  }

  return {
    /** Takes a slot. @throws ServiceError `rate_limited` above the key's share, `unavailable` if none is free */
    acquire(keyId: KeyId) {
      acquireOne(keyId);
      let isHeld = true;
      return {
        /**
         * Releases the slot while the request waits for its client, so that slow clients do not use up the limit, then
         * acquires one again.
         *
         * @throws ServiceError as `acquire`
         */
        async releaseWhile<Result>(waiting: Promise<Result>): Promise<Result> {
          isHeld = false;
          releaseOne(keyId);
          const result = await waiting;
          acquireOne(keyId);
          isHeld = true;
          return result;
        },
        /** Releases the slot; idempotent. */
        release() {
          if (isHeld) releaseOne(keyId);
          isHeld = false;
        },
      };
    },
    count: () => active,
  };
}

export type ConcurrencyLimit = ReturnType<typeof createConcurrencyLimit>;
/** A request's permit under the concurrency limit. */
export type Slot = ReturnType<ConcurrencyLimit["acquire"]>;
