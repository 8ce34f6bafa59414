import { DELIVERY_LEASE_MS } from "../limits.ts";
import { type ClaimedMessage, claimMessages, messageQueue } from "../messages/store.ts";
import type { Database } from "../storage/database.ts";
import { type DeliverySource, settleAttempt } from "./source.ts";
import type { Deliver } from "./webhook.ts";

const DELIVERY_CONCURRENCY = 16; // maximum number of messages that one worker delivers at the same time

export function messageSource(database: Database, deliver: Deliver): DeliverySource<ClaimedMessage> {
  const claimStatement = claimMessages(database.locks.claim);
  return {
    name: "messages",
    noun: "message",
    channel: "messages",
    queue: messageQueue,
    concerns: () => true,
    gatherMs: 0,
    prepare: async () => false,
    async claim(now, underWay) {
      const count = DELIVERY_CONCURRENCY - underWay.length;
      return count <= 0 ? [] : database.run(claimStatement, [now, now + DELIVERY_LEASE_MS, count]);
    },
    send: (message, begin, stop) => deliver(message, begin(), stop),
    settle: (ended) =>
      database.write((query) => Promise.all(ended.map((one) => settleAttempt(query, messageQueue, one)))),
    logFields: ({ id }) => ({ messageId: id }),
  };
}
