import { expect, test } from "bun:test";
import { messageSource } from "../../src/delivery/message-source.ts";
import type { Claim, Settlement } from "../../src/delivery/source.ts";
import { deliverToInbox } from "../../src/delivery/webhook.ts";
import { startDeliveryWorker } from "../../src/delivery/worker.ts";
import { DELIVERY_LEASE_MS } from "../../src/limits.ts";
import { systemRandomBytes } from "../../src/platform/random.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { createLogger } from "../../src/telemetry/logger.ts";
import { createMetrics } from "../../src/telemetry/metrics/metrics.ts";
import { createTestClock } from "../clock.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";

test("an attempt is timed from its request to its response, and the next one is scheduled from then", async () => {
  const { dataDir } = await freshEmbeddedStore();
  const database = await openDatabase("messages", { dataDir });
  const clock = createTestClock();
  const claimedAt = clock.now();
  const waiting = [{ id: "1", attempts: 1, dueAt: claimedAt + DELIVERY_LEASE_MS }];
  const ended = Promise.withResolvers<Settlement<Claim> | undefined>();
  const worker = await startDeliveryWorker<Claim>({
    source: {
      ...messageSource(database, deliverToInbox),
      claim: async () => waiting.splice(0),
      async send(_, begin) {
        // Imitates a busy database, where it takes a long time to read the event.
        await clock.advance(1_000);
        begin();
        await clock.advance(2_000);
        return { outcome: "refused", status: 500 };
      },
      settle: async ([settlement]) => ended.resolve(settlement),
      logFields: () => ({}),
    },
    ...{ database, clock, randomBytes: systemRandomBytes },
    ...{ log: createLogger("silent"), metrics: createMetrics() },
  });
  const { attempt, retryAt = 0 } = (await ended.promise) ?? {};
  expect(attempt).toMatchObject({ at: claimedAt + 1_000, duration: 2_000, status: 500 });
  expect(retryAt - claimedAt - 3_000).toBeWithin(5_000, 5_501);
  await worker.close();
  await database.close();
});
