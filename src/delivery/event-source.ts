import type { PrivateDestinations } from "../config.ts";
import type { Context, Environment } from "../context.ts";
import { writeJson } from "../contract/json/json.ts";
import { DELIVERY_LEASE_MS } from "../limits.ts";
import { formatTime } from "../platform/clock.ts";
import { systemRandomBytes } from "../platform/random.ts";
import type { Database, Query } from "../storage/database.ts";
import { singleRow } from "../storage/row.ts";
import { makeDeliveries, sweepDeliveries } from "../webhooks/deliveries.ts";
import { eventMessage } from "../webhooks/event-message.ts";
import {
  type ClaimedRow,
  claimDeliveries,
  deliveryQueue,
  dueNext,
  dueOldest,
  selectDeliveredEvent,
  selectTargets,
  type Target,
} from "../webhooks/queue-store.ts";
import { selectWebhook } from "../webhooks/store.ts";
import { disableGone } from "../webhooks/verbs.ts";
import { type DeliverySource, type Settlement, settleAttempt } from "./source.ts";
import { postSigned, type SignedMessage } from "./webhook.ts";

const DELIVERY_CONCURRENCY_PER_WEBHOOK = 4; // concurrent events of one worker to one webhook; other webhooks have their own
const DELIVERY_GATHER_MS = 20; // from a commit to the look for webhooks, which serves all commits in between

interface ClaimedDelivery extends ClaimedRow {
  readonly target: Target;
}

interface EventSourceOptions {
  readonly database: Database;
  readonly environment: Environment;
  readonly privateDestinations: PrivateDestinations;
}

/** Delivery source of an environment's events for each webhook: in order by animal or category, concurrent across them. */
export function eventSource(options: EventSourceOptions): DeliverySource<ClaimedDelivery> {
  const { database, environment, privateDestinations } = options;
  const claimStatement = claimDeliveries(database.locks.claim);
  let targets: readonly Target[] = [];
  /** True if deliveries may lack a due time: a process died, or a statement failed, between a commit and its follow-up. */
  let isRepairNeeded = true;

  async function orRepair(work: Promise<unknown>) {
    try {
      await work;
    } catch (error) {
      isRepairNeeded = true;
      throw error;
    }
  }

  return {
    name: environment,
    noun: "event",
    channel: "events",
    queue: deliveryQueue,
    gatherMs: DELIVERY_GATHER_MS,
    concerns: (payload) => payload === undefined || payload === environment,
    async prepare(now) {
      const webhooks = await database.read(selectTargets, [now]);
      targets = webhooks.filter(({ isEnabled }) => isEnabled);
      const isSweeping = targets.length < webhooks.length && (await sweepDeliveries(database));
      const behind = targets.filter(({ isBehind }) => isBehind);
      for (const target of behind) await orRepair(makeDeliveries(database, target, now));
      if (isRepairNeeded && targets.length > 0) {
        isRepairNeeded = false;
        await orRepair(database.run(dueOldest, [now]));
      }
      return isSweeping || behind.length > 0;
    },
    isIdle: () => targets.length === 0,
    async claim(now, underWay) {
      const claimed: ClaimedDelivery[] = [];
      for (const target of targets) {
        const own = underWay.filter(({ target: { id } }) => id === target.id).length;
        const count = DELIVERY_CONCURRENCY_PER_WEBHOOK - own;
        if (count <= 0) continue;
        const rows = await database.run(claimStatement, [now, now + DELIVERY_LEASE_MS, count, target.id]);
        claimed.push(...rows.map((row) => ({ ...row, target })));
      }
      return claimed;
    },
    async send(delivery, now, stop) {
      const { url, secrets } = delivery.target;
      const message = { ...(await messageOf(database, environment, delivery)), url, secrets };
      const rule = { privateDestinations, setting: "PETSTORE_WEBHOOKS_PRIVATE" };
      return postSigned(message, rule, now, stop);
    },
    settle: (delivery, settlement) => orRepair(settle(database, delivery, settlement)),
    repair: (now) => database.run(dueOldest, [now]),
    logFields: ({ id, eventId, target }) => ({ deliveryId: id, eventId, webhookId: target.id }),
  };
}

/** Context for disabling a webhook after a 410, which has no person as actor. */
function asOperator(query: Query, now: number): Context {
  return { query, now, actor: { kind: "operator" }, randomBytes: systemRandomBytes, requestId: "" };
}

async function messageOf(
  { read }: Database,
  environment: Environment,
  { id, eventId, type, createdAt }: ClaimedRow,
): Promise<Pick<SignedMessage, "id" | "body" | "traceparent">> {
  if (eventId === undefined) {
    const body = writeJson({ type, timestamp: formatTime(createdAt), environment, data: {} });
    return { id: `evt_test${id}`, body };
  }
  const { event, traceparent } = singleRow(await read(selectDeliveredEvent, [eventId]));
  return { ...eventMessage({ ...event, environment }), traceparent };
}

async function settle(database: Database, { id, subject, target }: ClaimedDelivery, settlement: Settlement) {
  const { outcome, now } = settlement;
  const isOver = await database.write(async (query) => {
    const [webhook] = outcome === "gone" ? await query(selectWebhook, [target.id]) : [];
    // A 410 of a former address disables nothing: the current one is tried at once.
    const retryAt = webhook === undefined || webhook.url === target.url ? settlement.retryAt : now;
    await settleAttempt(query, deliveryQueue, id, { ...settlement, retryAt });
    if (outcome === "gone" && retryAt === undefined) await disableGone(asOperator(query, now), target.id);
    return retryAt === undefined;
  });
  // After the commit, as for new deliveries. Test deliveries have no order.
  if (isOver && subject !== "") await database.run(dueNext, [target.id, subject, now]);
}
