import type { Clock } from "../clock.ts";
import {
  DELIVERY_BATCH_MAX,
  DELIVERY_DELAYS_MS,
  DELIVERY_JITTER,
  DELIVERY_LEASE_MS,
  DELIVERY_POLL_MS,
} from "../limits.ts";
import type { Logger } from "../log.ts";
import {
  type ClaimedMessage,
  claimMessages,
  endMessage,
  postponeMessage,
  releaseMessage,
} from "../messages/store.ts";
import type { Metrics } from "../metrics.ts";
import type { RandomBytes } from "../random.ts";
import type { Database, Query } from "../storage/database.ts";
import type { Deliver, Outcome } from "./webhook.ts";

interface WorkerOptions {
  readonly database: Database;
  readonly deliver: Deliver;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  readonly log: Logger;
  readonly metrics: Metrics;
}

export interface DeliveryWorker {
  /** There is something new in the queue. */
  wake(): void;
  /** Breaks off the attempts under way, which are put back in the queue, and stops. */
  close(): Promise<void>;
}

/**
 * Delivers queued messages at least once each. A message is claimed for the length of a lease, so a worker that
 * dies loses nothing: its messages become due again.
 */
export function startDeliveryWorker(options: WorkerOptions): DeliveryWorker {
  const stop = new AbortController();
  let idle = new AbortController();

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      idle = new AbortController();
      const delivered = await deliverDue(options, stop.signal).catch((error: unknown) => {
        options.log.error({ err: error }, "the message queue could not be read");
        return 0;
      });
      if (delivered === 0)
        await options.clock.wait(DELIVERY_POLL_MS, AbortSignal.any([stop.signal, idle.signal]));
    }
  }

  const running = run();
  return {
    wake: () => idle.abort(),
    async close() {
      stop.abort();
      await running;
    },
  };
}

/** @returns how many messages were due */
async function deliverDue(options: WorkerOptions, stop: AbortSignal): Promise<number> {
  const now = options.clock.now();
  const claimed = await options.database.write((query) =>
    query(claimMessages, [now, now + DELIVERY_LEASE_MS, DELIVERY_BATCH_MAX]),
  );
  await Promise.all(claimed.map((one) => attempt(options, one, stop)));
  return claimed.length;
}

async function attempt(options: WorkerOptions, claimed: ClaimedMessage, stop: AbortSignal): Promise<void> {
  const { database, clock, log, metrics } = options;
  const { id } = claimed.message;
  let outcome: Outcome;
  let fault: unknown;
  try {
    outcome = await options.deliver(claimed.message, clock.now(), stop);
  } catch (error) {
    if (stop.aborted) {
      await database.write((query) => query(releaseMessage, [id, clock.now()]));
      return;
    }
    outcome = "refused";
    fault = error;
  }
  await database.write((query) => settle(options, query, claimed, outcome));
  metrics.deliveries.inc({ outcome });
  if (outcome !== "delivered") {
    log.warn(
      { messageId: id, attempt: claimed.attempts, outcome, err: fault },
      "a message was not delivered",
    );
  }
}

async function settle(
  { clock, randomBytes }: WorkerOptions,
  query: Query,
  { message, attempts }: ClaimedMessage,
  outcome: Outcome,
): Promise<void> {
  const delay = DELIVERY_DELAYS_MS[attempts];
  if (outcome === "delivered") {
    await query(endMessage, [message.id, "delivered"]);
  } else if (outcome === "gone" || delay === undefined) {
    await query(endMessage, [message.id, "failed"]);
  } else {
    const [byte = 0] = randomBytes(1);
    const jitter = 1 + (DELIVERY_JITTER * byte) / 255;
    await query(postponeMessage, [message.id, clock.now() + Math.round(delay * jitter)]);
  }
}
