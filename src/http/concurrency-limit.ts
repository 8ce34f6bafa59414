import { type KeyId, keyIdOf } from "../context.ts";
import { unavailable } from "../errors.ts";
import type { ShareCheck } from "./key-shares.ts";
import type { RequestContext } from "./request-context.ts";

export const REQUESTS_IN_FLIGHT_MAX = 512; // in one process; more are answered 503 at once

/** A request that may hold a slot. */
type SlotHolder = Pick<RequestContext, "actor" | "hasSlot">;

/**
 * A semaphore without a queue over the requests of one process. Requests above the limit are refused at once: a queue would
 * only make every response slower.
 *
 * @param onRejected called for each refused request
 */
export function createConcurrencyLimit(requireShare: ShareCheck, onRejected: () => void) {
  let active = 0;
  const byKey = new Map<KeyId, number>();

  /** Takes a slot. @throws ServiceError `rate_limited` above the key's share, `unavailable` if none is free */
  function acquire(holder: SlotHolder) {
    const keyId = keyIdOf(holder.actor);
    const held = byKey.get(keyId) ?? 0;
    requireShare("requests", keyId, held);
    if (active >= REQUESTS_IN_FLIGHT_MAX) {
      onRejected();
      throw unavailable("Too many requests are under way. Try again.");
    }
    active++;
    byKey.set(keyId, held + 1);
    holder.hasSlot = true;
  }

  /** Releases a request's slot, if it has one. */
  function release(holder: SlotHolder) {
    if (!holder.hasSlot) return;
    holder.hasSlot = false;
    active--;
    const keyId = keyIdOf(holder.actor);
    const held = byKey.get(keyId) ?? 1;
    if (held > 1) byKey.set(keyId, held - 1);
    else byKey.delete(keyId);
  }

  return {
    acquire,
    release,
    /**
     * Releases a slot while the request waits for its client, so that slow clients do not use up the limit, then takes one
     * again.
     *
     * @throws ServiceError as `acquire`
     */
    async releaseWhile<Result>(holder: SlotHolder, waiting: Promise<Result>): Promise<Result> {
      release(holder);
      const result = await waiting;
      acquire(holder);
      return result;
    },
    count: () => active,
  };
}

export type ConcurrencyLimit = ReturnType<typeof createConcurrencyLimit>;
