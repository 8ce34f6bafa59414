import type { Config } from "../config.ts";
import type { Environment } from "../context.ts";
import { eventSource } from "../delivery/event-source.ts";
import { messageSource } from "../delivery/message-source.ts";
import type { Claim, DeliverySource } from "../delivery/source.ts";
import { type Deliver, deliverToInbox, deliverToWebhook, keptWebhookSecret } from "../delivery/webhook.ts";
import { type DeliveryWorker, startDeliveryWorker } from "../delivery/worker.ts";
import { DELIVERY_AHEAD_MAX_MS } from "../limits.ts";
import type { RandomBytes } from "../platform/random.ts";
import type { Database } from "../storage/database.ts";
import { singleRow } from "../storage/row.ts";
import type { DatabaseDeps } from "./open-database.ts";

const QUEUE_REPAIR_INTERVAL_MS = 15 * 60_000; // interval at which the due times of deliveries are corrected if they were set while the clock was wrong

export async function startEventDeliveries(
  database: Database,
  environment: Environment,
  deps: DatabaseDeps,
): Promise<DeliveryWorker> {
  const privateDestinations = deps.config.webhooksPrivate;
  const source = eventSource({ database, environment, privateDestinations });
  return startDelivering(source, database, deps);
}

export async function startMessageDeliveries(
  database: Database,
  deliver: Deliver | undefined,
  deps: DatabaseDeps,
): Promise<DeliveryWorker> {
  const { config, randomBytes } = deps;
  deliver ??= await configuredDelivery(config, database, randomBytes);
  return startDelivering(messageSource(database, deliver), database, deps);
}

/**
 * Starts sending emails about accounts.
 *
 * @param origin returns the console's origin, which is the beginning of each link in an email
 */
export async function startMailing(
  accounts: Database,
  origin: () => string,
  deps: DatabaseDeps,
): Promise<DeliveryWorker | undefined> {
  const { config, randomBytes } = deps;
  const { smtpUrl: server, mailFrom: from } = config;
  if (server === undefined || from === undefined) return undefined;
  const { mailSource } = await import("../delivery/mail-source.ts");
  return startDelivering(mailSource({ accounts, server, from, origin, randomBytes }), accounts, deps);
}

async function startDelivering<Claimed extends Claim>(
  source: DeliverySource<Claimed>,
  database: Database,
  deps: DatabaseDeps,
): Promise<DeliveryWorker> {
  const { clock } = deps;
  const worker = await startDeliveryWorker({ ...deps, source, database });
  deps.resources.defer(worker.close);
  deps.maintenance.add({
    name: `the ${source.noun} queue`,
    everyMs: QUEUE_REPAIR_INTERVAL_MS,
    async run() {
      const now = clock.now();
      await database.run(source.queue.clamp, [now, now + DELIVERY_AHEAD_MAX_MS]);
      source.repair?.();
    },
  });
  /** Returns the number of seconds since the earliest of the given times, or 0 if they are all in the future. */
  const secondsSince = (...times: readonly (number | undefined)[]) =>
    Math.max(0, ...times.map((then = Number.POSITIVE_INFINITY) => clock.now() - then)) / 1000;
  deps.metrics.registerQueue(source.name, async () => {
    const { queued, oldestAt, unreadAt, dueAt } = singleRow(await database.read(source.queue.state, []));
    return { queued, lagSeconds: secondsSince(oldestAt, unreadAt), overdueSeconds: secondsSince(dueAt) };
  });
  return worker;
}

async function configuredDelivery(
  config: Config,
  database: Database,
  randomBytes: RandomBytes,
): Promise<Deliver> {
  if (config.messagesWebhookUrl === undefined) return deliverToInbox;
  const secret = config.messagesWebhookSecret ?? (await keptWebhookSecret(database, randomBytes));
  return deliverToWebhook({
    url: config.messagesWebhookUrl,
    secret,
    privateDestinations: config.messagesWebhookPrivate,
  });
}
