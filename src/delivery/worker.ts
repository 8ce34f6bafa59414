import { DELIVERY_DELAYS_MS, DELIVERY_LEASE_MS } from "../limits.ts";
import type { Clock } from "../platform/clock.ts";
import type { RandomBytes } from "../platform/random.ts";
import type { ChangeSubscription } from "../storage/change-feed.ts";
import { type Database, DatabaseClosedError, UnreachableError } from "../storage/database.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics/metrics.ts";
import { deliveryErrorText } from "./destination.ts";
import type { Answer, Claim, DeliverySource, Settlement } from "./source.ts";

export const DELIVERY_JITTER = 0.1; // largest fraction by which a delay is randomly lengthened, so that retries do not all arrive at the same time
export const DELIVERY_POLL_MS = 1_000; // interval at which the queue is polled while no announcements of changes can be received
const DELIVERY_POLL_MAX_MS = 15_000; // longest interval at which the queue is polled, even if nothing is due and nothing was announced
const NOT_WRITTEN = "the result of a delivery could not be stored";

interface WorkerOptions<Claimed extends Claim> {
  readonly source: DeliverySource<Claimed>;
  readonly database: Database;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  readonly log: Logger;
  readonly metrics: Metrics;
}

type Report = (error: unknown, text: string) => void;

/**
 * Starts a worker that delivers everything at least once. It claims deliveries for a limited time (a lease). When a lease ends
 * before the delivery is done, another worker can claim the delivery.
 */
export async function startDeliveryWorker<Claimed extends Claim>(options: WorkerOptions<Claimed>) {
  const { source, clock, log } = options;
  const stop = new AbortController();
  const underWay = new Map<Promise<void>, Claimed>();
  const ended: Settlement<Claimed>[] = []; // finished delivery attempts, whose outcomes are stored together
  let idle = new AbortController();

  /** Logs an error. If the error is that the database was closed, it has already been logged, so the worker only stops. */
  const report: Report = (err, text) => {
    if (err instanceof DatabaseClosedError) stop.abort();
    else log.error({ err }, text);
  };
  const store = async () => void ended.push(...(await settle(source, ended.splice(0), report)));

  async function run() {
    while (!stop.signal.aborted) {
      idle = new AbortController();
      await store();
      const leaseEnd = clock.monotonicMs() + DELIVERY_LEASE_MS;
      const { claimed, isBehind } = await claim(options, [...underWay.values()], report);
      // While a delivery was being claimed again, its earlier attempt may have ended. The outcome of that attempt is stored first,
      // so that nothing is sent twice.
      const isNew = ({ id }: Claimed) => !ended.some((settlement) => settlement.claimed.id === id);
      for (const delivery of claimed.filter(isNew)) start(delivery, leaseEnd);
      if (claimed.length > 0 || isBehind) continue;
      const wakeUp = AbortSignal.any([stop.signal, idle.signal]);
      await clock.wait(await pauseMs(options, feed), wakeUp);
    }
    await Promise.all(underWay.keys());
    await store();
  }

  function start(delivery: Claimed, leaseEnd: number) {
    const attempting = attempt(options, delivery, leaseEnd, stop.signal)
      .then((settlement) => void ended.push(...settlement))
      .catch((error: unknown) => report(error, NOT_WRITTEN))
      .finally(() => {
        underWay.delete(attempting);
        idle.abort();
      });
    underWay.set(attempting, delivery);
  }

  const wake = () => idle.abort();
  let isGathering = false;
  async function onAnnounced(payload: string | undefined) {
    if (isGathering || !source.concerns(payload)) return;
    isGathering = true;
    if (source.gatherMs > 0) await clock.wait(source.gatherMs, stop.signal);
    isGathering = false;
    wake();
  }
  const feed = await options.database.subscribe(source.channel, (payload) => void onAnnounced(payload));
  const running = run();
  return {
    wake,
    /** Stops the worker and aborts its running attempts. Their deliveries go back to the queue. */
    async close() {
      stop.abort();
      await running;
      await feed.close();
    },
  };
}

export type DeliveryWorker = Awaited<ReturnType<typeof startDeliveryWorker>>;

/**
 * Returns how long to wait until the next delivery is due, in milliseconds. The wait is limited, because another process may make a
 * delivery due earlier.
 */
async function pauseMs<Claimed extends Claim>(
  { source, clock, database }: WorkerOptions<Claimed>,
  feed: ChangeSubscription,
): Promise<number> {
  if (!feed.isHealthy()) return DELIVERY_POLL_MS;
  if (source.isIdle?.()) return DELIVERY_POLL_MAX_MS;
  const now = clock.now();
  const [dueAt = Number.POSITIVE_INFINITY] = await database.run(source.queue.nextDue, []).catch(() => [now]);
  return Math.min(Math.max(dueAt - now, DELIVERY_POLL_MS), DELIVERY_POLL_MAX_MS);
}

/**
 * Stores the outcomes of several attempts in one transaction. If one of them makes the transaction fail, each outcome is stored in
 * a separate transaction. If the database cannot be reached, final outcomes are kept in memory, so that nothing is sent again; any
 * other delivery becomes due when its lease ends.
 *
 * @returns the outcomes that have not been stored yet
 */
async function settle<Claimed extends Claim>(
  source: DeliverySource<Claimed>,
  batch: readonly Settlement<Claimed>[],
  report: Report,
): Promise<readonly Settlement<Claimed>[]> {
  try {
    if (batch.length > 0) await source.settle(batch);
    return [];
  } catch (error) {
    const isLater = error instanceof UnreachableError;
    if (!isLater && batch.length > 1)
      return (await Promise.all(batch.map((one) => settle(source, [one], report)))).flat();
    report(error, NOT_WRITTEN);
    return isLater ? batch.filter(({ retryAt }) => retryAt === undefined) : [];
  }
}

async function claim<Claimed extends Claim>(
  { source, clock }: WorkerOptions<Claimed>,
  underWay: readonly Claimed[],
  report: Report,
): Promise<{ claimed: readonly Claimed[]; isBehind: boolean }> {
  try {
    const isBehind = await source.prepare(clock.now());
    return { claimed: await source.claim(clock.now(), underWay), isBehind };
  } catch (error) {
    report(error, `the ${source.noun} queue could not be read`);
    return { claimed: [], isBehind: false };
  }
}

/**
 * Attempts a delivery. Resolves to its outcome, or to an empty list if this process has given the delivery back.
 *
 * @param leaseEnd the end of the lease, in milliseconds of the monotonic clock
 */
async function attempt<Claimed extends Claim>(
  options: WorkerOptions<Claimed>,
  claimed: Claimed,
  leaseEnd: number,
  stop: AbortSignal,
): Promise<readonly Settlement<Claimed>[]> {
  const { source, database, clock, log, metrics } = options;
  let at = clock.now();
  let begunAt = clock.monotonicMs();
  let isLost = false;
  // If this process was suspended, another process may have sent the delivery in the meantime, so it must not be sent again. The
  // monotonic clock shows that the lease has ended even if somebody has changed the time of day.
  function begin() {
    at = clock.now();
    begunAt = clock.monotonicMs();
    isLost = at >= claimed.dueAt || begunAt >= leaseEnd;
    if (isLost) throw new Error("the attempt took too long, and another worker may have taken over");
    return at;
  }
  let answer: Answer;
  let fault: unknown;
  try {
    answer = await source.send(claimed, begin, stop);
  } catch (error) {
    if (stop.aborted || isLost) {
      await database.run(source.queue.release, [claimed.id, clock.now(), claimed.dueAt]);
      return [];
    }
    answer = { outcome: "refused" };
    fault = error;
  }
  const { outcome, status } = answer;
  const duration = Math.round(clock.monotonicMs() - begunAt);
  metrics.deliveryCounts.inc({ source: source.name, outcome });
  if (outcome !== "delivered") {
    log.warn(
      { ...source.logFields(claimed), attempt: claimed.attempts, outcome, status, err: fault },
      `${source.noun === "event" ? "an" : "a"} ${source.noun} was not delivered`,
    );
  }
  const retryAt = outcome === "refused" ? nextAttemptAt(options, claimed.attempts) : undefined;
  const error = fault === undefined ? undefined : deliveryErrorText(fault);
  const isSent = status !== undefined || fault !== undefined;
  const tried = isSent ? { at, duration, status, error } : undefined;
  return [{ claimed, now: clock.now(), outcome, retryAt, attempt: tried }];
}

/** Returns the time at which a delivery's next attempt is due, in milliseconds since 1970, or undefined after the last attempt. */
function nextAttemptAt(
  { clock, randomBytes }: Pick<WorkerOptions<never>, "clock" | "randomBytes">,
  attempts: number,
): number | undefined {
  const delay = DELIVERY_DELAYS_MS[attempts];
  if (delay === undefined) return undefined;
  const [byte = 0] = randomBytes(1);
  const jitter = 1 + (DELIVERY_JITTER * byte) / 255;
  return clock.now() + Math.round(delay * jitter);
}
