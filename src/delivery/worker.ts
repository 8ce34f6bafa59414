import {
  DELIVERY_AHEAD_MAX_MS,
  DELIVERY_CLAMP_INTERVAL_MS,
  DELIVERY_CONCURRENCY,
  DELIVERY_DELAYS_MS,
  DELIVERY_JITTER,
  DELIVERY_LEASE_MS,
  DELIVERY_POLL_MAX_MS,
  DELIVERY_POLL_MS,
} from "../limits.ts";
import {
  type ClaimedMessage,
  claimMessages,
  clampFutureDueDates,
  finishMessage,
  releaseMessage,
  rescheduleMessage,
  selectNextDue,
} from "../messages/store.ts";
import { type Clock, startInterval } from "../platform/clock.ts";
import { orElse } from "../platform/maybe.ts";
import type { RandomBytes } from "../platform/random.ts";
import type { ChangeFeed } from "../storage/change-feed.ts";
import type { Database } from "../storage/database.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics/metrics.ts";
import type { Deliver, Outcome } from "./webhook.ts";

interface WorkerOptions {
  readonly database: Database;
  readonly deliver: Deliver;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  readonly log: Logger;
  readonly metrics: Metrics;
}

interface DeliveryWorker {
  /** Called when a message was queued. */
  wake(): void;
  /** Aborts the attempts under way, which are queued again, and stops. */
  close(): Promise<void>;
}

/**
 * Delivers queued messages at least once each. A message is claimed for the length of a lease, so a worker that
 * dies loses nothing: its messages become due again.
 */
export async function startDeliveryWorker(options: WorkerOptions): Promise<DeliveryWorker> {
  const stop = new AbortController();
  const claimStatement = claimMessages(options.database.skipLocked);
  const underWay = new Set<Promise<void>>();
  let idle = new AbortController();

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      idle = new AbortController();
      const claimed = await claim(options, claimStatement, DELIVERY_CONCURRENCY - underWay.size);
      for (const message of claimed) start(message);
      if (claimed.length > 0) continue;
      const wakeUp = AbortSignal.any([stop.signal, idle.signal]);
      await options.clock.wait(await pauseMs(options, feed), wakeUp);
    }
    await Promise.all(underWay);
  }

  function start(message: ClaimedMessage): void {
    const attempting = attempt(options, message, stop.signal)
      .catch((error: unknown) =>
        options.log.error({ err: error }, "how a delivery ended could not be written"),
      )
      .finally(() => {
        underWay.delete(attempting);
        idle.abort();
      });
    underWay.add(attempting);
  }

  const wake = (): void => idle.abort();
  const feed = await options.database.subscribe("messages", wake);
  const running = run();
  const clamping = startInterval(
    options.clock,
    DELIVERY_CLAMP_INTERVAL_MS,
    () => clampDueDates(options),
    (error) => options.log.error({ err: error }, "the message queue could not be written"),
  );
  return {
    wake,
    async close() {
      stop.abort();
      await clamping.close();
      await running;
      await feed.close();
    },
  };
}

async function clampDueDates({ database, clock }: WorkerOptions): Promise<void> {
  const now = clock.now();
  await database.run(clampFutureDueDates, [now, now + DELIVERY_AHEAD_MAX_MS]);
}

/**
 * Until the next message is due, and no longer than a message that another process put off may stay unknown. One that is due
 * already could not be claimed.
 */
async function pauseMs({ database, clock }: WorkerOptions, feed: ChangeFeed): Promise<number> {
  if (!feed.isHealthy()) return DELIVERY_POLL_MS;
  const now = clock.now();
  const [dueAt = Number.POSITIVE_INFINITY] = await orElse(
    () => database.read(selectNextDue, []),
    () => [now],
  );
  return Math.min(Math.max(dueAt - now, DELIVERY_POLL_MS), DELIVERY_POLL_MAX_MS);
}

/** Up to `count` due messages, ours until the lease ends. */
async function claim(
  { database, clock, log }: WorkerOptions,
  statement: ReturnType<typeof claimMessages>,
  count: number,
): Promise<readonly ClaimedMessage[]> {
  if (count <= 0) return [];
  const now = clock.now();
  try {
    return await database.run(statement, [now, now + DELIVERY_LEASE_MS, count]);
  } catch (error) {
    log.error({ err: error }, "the message queue could not be read");
    return [];
  }
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
      await database.run(releaseMessage, [id, clock.now()]);
      return;
    }
    outcome = "refused";
    fault = error;
  }
  await settle(options, claimed, outcome);
  metrics.deliveries.inc({ outcome });
  if (outcome !== "delivered") {
    log.warn(
      { messageId: id, attempt: claimed.attempts, outcome, err: fault },
      "a message was not delivered",
    );
  }
}

async function settle(
  { database, clock, randomBytes }: WorkerOptions,
  { message, attempts }: ClaimedMessage,
  outcome: Outcome,
): Promise<void> {
  const delay = DELIVERY_DELAYS_MS[attempts];
  if (outcome === "delivered") {
    await database.run(finishMessage, [message.id, "delivered"]);
  } else if (outcome === "gone" || delay === undefined) {
    await database.run(finishMessage, [message.id, "failed"]);
  } else {
    const [byte = 0] = randomBytes(1);
    const jitter = 1 + (DELIVERY_JITTER * byte) / 255;
    await database.run(rescheduleMessage, [message.id, clock.now() + Math.round(delay * jitter)]);
  }
}
