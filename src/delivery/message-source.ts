import { insertAttempt } from "../attempts/store.ts";
import { DELIVERY_AHEAD_MAX_MS, DELIVERY_LEASE_MS } from "../limits.ts";
import {
  type ClaimedMessage,
  claimMessages,
  clampFutureDueDates,
  finishMessage,
  releaseMessage,
  rescheduleMessage,
  selectNextDue,
} from "../messages/store.ts";
import { andThen } from "../platform/maybe.ts";
import type { Database, Query } from "../storage/database.ts";
import type { DeliverySource } from "./source.ts";
import type { Deliver } from "./webhook.ts";

const DELIVERY_CONCURRENCY = 16; // messages of one worker; a slow destination delays no more than these

export function messageSource(database: Database, deliver: Deliver): DeliverySource<ClaimedMessage> {
  const claimStatement = claimMessages(database.locks.claim);
  return {
    name: "messages",
    noun: "message",
    channel: "messages",
    concerns: () => true,
    gatherMs: 0,
    prepare: async () => false,
    async claim(now, underWay) {
      const count = DELIVERY_CONCURRENCY - underWay.length;
      return count <= 0 ? [] : database.run(claimStatement, [now, now + DELIVERY_LEASE_MS, count]);
    },
    send: ({ message }, now, stop) => deliver(message, now, stop),
    settle: async ({ message: { id } }, { outcome, retryAt, attempt }) => {
      const finish = (query: Query) =>
        retryAt === undefined
          ? query(finishMessage, [id, outcome === "delivered" ? "delivered" : "failed"])
          : query(rescheduleMessage, [id, retryAt]);
      if (attempt === undefined) return finish(database.run);
      return database.write(async (query) => {
        await insertAttempt(query, id, attempt);
        await finish(query);
      });
    },
    release: ({ message: { id } }, now) => database.run(releaseMessage, [id, now]),
    nextDue: () => andThen(database.read(selectNextDue, []), ([dueAt]) => dueAt),
    repair: (now) => database.run(clampFutureDueDates, [now, now + DELIVERY_AHEAD_MAX_MS]),
    logFields: ({ message }) => ({ messageId: message.id }),
  };
}
