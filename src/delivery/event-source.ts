import type { Int64 } from "exact-json/int64";
import type { PrivateDestinations } from "../config/values.ts";
import type { Environment } from "../context.ts";
import { writeJson } from "../contract/json/json.ts";
import { eventIn } from "../events/store.ts";
import { DELIVERY_LEASE_MS } from "../limits.ts";
import { formatTime } from "../platform/clock.ts";
import { systemRandomBytes } from "../platform/random.ts";
import type { Database, Query } from "../storage/database.ts";
import { singleRow } from "../storage/row.ts";
import { createRepair, makeDeliveries, sweepDeliveries } from "../webhooks/deliveries.ts";
import { eventMessage } from "../webhooks/event-message.ts";
import {
  type ClaimedRow,
  claimDeliveries,
  deliveryQueue,
  dueNext,
  selectDeliveredEvent,
  selectTargets,
  type Target,
} from "../webhooks/queue-store.ts";
import { selectWebhook } from "../webhooks/store.ts";
import { disableGone } from "../webhooks/verbs.ts";
import { type DeliverySource, type Settlement, settleAttempt } from "./source.ts";
import { postSigned } from "./webhook.ts";

const DELIVERY_CONCURRENCY = 200; // maximum number of deliveries that one worker sends at the same time, shared equally by its webhooks; the runtime allows 256
const DELIVERY_CONCURRENCY_PER_WEBHOOK = 16; // maximum number of deliveries that one worker sends to one webhook at the same time
const DELIVERY_GATHER_MS = 20; // delay between a commit and the creation of its deliveries, so that deliveries for several commits are created together

interface ClaimedDelivery extends ClaimedRow {
  readonly target: Target;
}

interface EventSourceOptions {
  readonly database: Database;
  readonly environment: Environment;
  readonly privateDestinations: PrivateDestinations;
}

/**
 * Delivers the events of an environment to each webhook. Events about the same animal or category are delivered in order. Other
 * events do not wait for each other.
 */
export function eventSource(options: EventSourceOptions): DeliverySource<ClaimedDelivery> {
  const { database, environment, privateDestinations } = options;
  const claimStatement = claimDeliveries(database.locks.claim);
  let targets: readonly Target[] = [];
  const repair = createRepair(database);
  function orRepair(error: unknown): never {
    repair.request();
    throw error;
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
      let isMore = targets.length < webhooks.length && (await sweepDeliveries(database));
      for (const target of targets)
        if (target.isBehind && (await makeDeliveries(database, target, now).catch(orRepair))) isMore = true;
      return (await repair.step(targets, now).catch(orRepair)) || isMore;
    },
    isIdle: () => targets.length === 0,
    async claim(now, underWay) {
      const claimed: ClaimedDelivery[] = [];
      const share = Math.min(
        Math.floor(DELIVERY_CONCURRENCY / targets.length),
        DELIVERY_CONCURRENCY_PER_WEBHOOK,
      );
      for (const target of targets) {
        const own = underWay.filter(({ target: { id } }) => id === target.id).length;
        const count = share - own;
        if (count <= 0) continue;
        const rows = await database.run(claimStatement, [now, now + DELIVERY_LEASE_MS, count, target.id]);
        claimed.push(...rows.map((row) => ({ ...row, target })));
      }
      return claimed;
    },
    async send({ id, eventId, type, createdAt, target: { url, secrets } }, begin, stop) {
      const rule = { privateDestinations, setting: "PETSTORE_WEBHOOKS_PRIVATE" };
      if (eventId === undefined) {
        const body = writeJson({ type, timestamp: formatTime(createdAt), environment, data: {} });
        return postSigned({ id: `evt_test${id}`, body, url, secrets }, rule, begin(), stop);
      }
      const { event, traceparent } = singleRow(await database.read(selectDeliveredEvent, [eventId]));
      const message = eventMessage(eventIn(environment, event));
      return postSigned({ ...message, traceparent, url, secrets }, rule, begin(), stop);
    },
    async settle(ended) {
      const work = (query: Query) => Promise.all(ended.map((one) => settle(query, one)));
      const over = await database.write(work).catch(orRepair);
      // Makes the next deliveries due in separate statements after the commit, so that these statements see the deliveries that
      // were created at the same time. If a statement fails, `repair` makes its delivery due later.
      const due = Promise.all(over.flat().map((next) => database.run(dueNext, next)));
      await due.catch(repair.request);
    },
    repair: repair.request,
    logFields: ({ id, eventId, target }) => ({ deliveryId: id, eventId, webhookId: target.id }),
  };
}

/** Stores the outcome of an attempt. Returns the webhook and the animal or category whose next delivery must now become due. */
async function settle(query: Query, settlement: Settlement<ClaimedDelivery>) {
  const { outcome, now, claimed } = settlement;
  const { subject, target } = claimed;
  const [webhook] = outcome === "gone" ? await query(selectWebhook, [target.id]) : [];
  // The webhook's URL may have been changed during the attempt. In that case, a 410 from the old URL does not disable the webhook,
  // and the delivery is sent to the new URL immediately.
  const retryAt = webhook === undefined || webhook.url === target.url ? settlement.retryAt : now;
  await settleAttempt(query, deliveryQueue, { ...settlement, retryAt });
  if (retryAt !== undefined) return [];
  // The operator is the actor, because no person disables this webhook.
  const context = { query, now, randomBytes: systemRandomBytes };
  if (outcome === "gone") await disableGone({ ...context, actor: { kind: "operator" } }, target.id);
  // Test deliveries are not ordered, so no other delivery waits for this one to end.
  const next: [webhookId: Int64, subject: string, now: number] = [target.id, subject, now];
  return subject === "" ? [] : [next];
}
