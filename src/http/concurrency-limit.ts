import { type Actor, type KeyId, keyIdOf } from "../context.ts";
import { unavailable } from "../errors.ts";
import { andFinally, type Maybe } from "../platform/maybe.ts";
import type { ShareCheck } from "./key-shares.ts";

export const REQUESTS_IN_FLIGHT_MAX = 512; // maximum number of concurrent requests of one process; further requests get a 503 at once

const RECENT_MS = 100; // time within which the sender of a request is expected to send its next request

/** A request, which occupies a slot while `hasSlot` is true. */
interface SlotHolder {
  readonly actor: Actor | undefined;
  hasSlot: boolean;
}

/**
 * A semaphore for the requests of one process. It has no queue: requests above the limit are refused at once, because a queue
 * would only make every response slower.
 *
 * @param monotonicMs the monotonic clock
 * @param onRejected called for each refused request
 */
export function createConcurrencyLimit(
  requireShare: ShareCheck,
  monotonicMs: () => number,
  onRejected: () => void,
) {
  let active = 0;
  let sender: KeyId; // sender of the newest request
  let sentAt = Number.NEGATIVE_INFINITY;
  let othersSentAt = Number.NEGATIVE_INFINITY; // time of the newest request from any other sender
  const byKey = createCounts();
  const searches = createCounts();

  /**
   * Checks that a slot is free for a request.
   *
   * @throws ServiceError `rate_limited` if the key already uses its whole share, `unavailable` if no slot is free
   */
  function requireRoom({ actor }: SlotHolder) {
    const keyId = keyIdOf(actor);
    noteSender(actor);
    requireShare("requests", keyId, byKey.of(keyId));
    if (active < REQUESTS_IN_FLIGHT_MAX) return;
    onRejected();
    throw unavailable("Too many requests are in progress. Try again.");
  }

  function noteSender(actor: Actor | undefined) {
    const id = senderOf(actor);
    if (id !== sender) othersSentAt = sentAt;
    sender = id;
    sentAt = monotonicMs();
  }

  function take(holder: SlotHolder) {
    active++;
    byKey.add(keyIdOf(holder.actor), 1);
    holder.hasSlot = true;
  }

  function release(holder: SlotHolder) {
    if (!holder.hasSlot) return;
    holder.hasSlot = false;
    active--;
    byKey.add(keyIdOf(holder.actor), -1);
  }

  return {
    requireRoom,
    release,
    /**
     * Holds a slot until the response is ready. A request needs no slot if its response is ready within the turn of the event loop
     * in which the request was admitted.
     */
    hold<Result>(holder: SlotHolder, responding: Promise<Result>): Promise<Result> {
      take(holder);
      return responding.finally(() => release(holder));
    },
    /**
     * Releases the request's slot while the service waits for the client, and then takes a slot again. Otherwise, slow clients
     * would occupy all slots.
     *
     * @throws ServiceError like `requireRoom`
     */
    async releaseWhile<Result>(holder: SlotHolder, waiting: Promise<Result>): Promise<Result> {
      // Gives the caller time to take a slot with `hold`. Otherwise, a request that waits for its client as soon as it starts would
      // release its slot before it has one.
      await undefined;
      release(holder);
      const result = await waiting;
      requireRoom(holder);
      take(holder);
      return result;
    },
    /**
     * True if another key or session has just sent a request. Requests that are answered from the cache do not count, because
     * they are rare while data changes.
     */
    isUsedByOthers({ actor }: SlotHolder): boolean {
      return monotonicMs() - (senderOf(actor) === sender ? othersSentAt : sentAt) < RECENT_MS;
    },
    /**
     * Runs a search. A key may run only a few searches at the same time, because they scan many rows.
     *
     * @throws ServiceError `rate_limited`
     */
    search<Result>(keyId: KeyId, run: () => Maybe<Result>): Maybe<Result> {
      requireShare("searches", keyId, searches.of(keyId));
      searches.add(keyId, 1);
      return andFinally(run, () => searches.add(keyId, -1));
    },
    count: () => active,
  };
}

function senderOf(actor: Actor | undefined): string | undefined {
  return actor?.kind === "session" ? actor.sessionId : keyIdOf(actor);
}

function createCounts() {
  const counts = new Map<KeyId, number>();
  return {
    of: (keyId: KeyId) => counts.get(keyId) ?? 0,
    add(keyId: KeyId, step: 1 | -1) {
      const count = (counts.get(keyId) ?? 0) + step;
      if (count > 0) counts.set(keyId, count);
      else counts.delete(keyId);
    },
  };
}

export type ConcurrencyLimit = ReturnType<typeof createConcurrencyLimit>;
