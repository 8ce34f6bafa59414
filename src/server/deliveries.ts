import type { Config } from "../config.ts";
import type { Environment } from "../context.ts";
import { eventSource } from "../delivery/event-source.ts";
import { messageSource } from "../delivery/message-source.ts";
import type { DeliverySource } from "../delivery/source.ts";
import { type Deliver, deliverToInbox, deliverToWebhook, keptWebhookSecret } from "../delivery/webhook.ts";
import { type DeliveryWorker, startDeliveryWorker } from "../delivery/worker.ts";
import { selectQueue } from "../messages/store.ts";
import { queueStats } from "../messages/verbs.ts";
import type { RandomBytes } from "../platform/random.ts";
import type { Database } from "../storage/database.ts";
import { singleRow } from "../storage/row.ts";
import { registerQueueMetrics } from "../telemetry/metrics/delivery-metrics.ts";
import { selectWaiting } from "../webhooks/queue-store.ts";
import type { DatabaseDeps } from "./open-database.ts";

const QUEUE_REPAIR_INTERVAL_MS = 15 * 60_000; // interval of repairs of due times that a wrong clock has set

interface DeliveryDeps extends DatabaseDeps {
  readonly randomBytes: RandomBytes;
}

export async function startEventDeliveries(
  database: Database,
  environment: Environment,
  deps: DeliveryDeps,
): Promise<DeliveryWorker> {
  const { config, metrics, clock } = deps;
  const source = eventSource({ database, environment, privateDestinations: config.webhooksPrivate });
  const worker = await startDelivering(source, database, deps);
  metrics.registerWebhooks(environment, async () => {
    const { count, oldestAt } = singleRow(await database.read(selectWaiting, []));
    return {
      waiting: count,
      lagSeconds: oldestAt === undefined ? 0 : Math.max(0, clock.now() - oldestAt) / 1000,
    };
  });
  return worker;
}

export async function startMessageDeliveries(
  database: Database,
  deliver: Deliver | undefined,
  deps: DeliveryDeps,
): Promise<DeliveryWorker> {
  const { config, clock, randomBytes, metrics } = deps;
  const source = messageSource(
    database,
    deliver ?? (await configuredDelivery(config, database, randomBytes)),
  );
  const worker = await startDelivering(source, database, deps);
  registerQueueMetrics(metrics.registry, async () =>
    queueStats(singleRow(await database.read(selectQueue, [])), clock.now()),
  );
  return worker;
}

async function startDelivering<Claimed extends { readonly attempts: number }>(
  source: DeliverySource<Claimed>,
  database: Database,
  deps: DeliveryDeps,
): Promise<DeliveryWorker> {
  const worker = await startDeliveryWorker({ ...deps, source, database });
  deps.resources.defer(worker.close);
  deps.maintenance.add({
    name: `the ${source.noun} queue`,
    everyMs: QUEUE_REPAIR_INTERVAL_MS,
    run: () => source.repair(deps.clock.now()),
  });
  return worker;
}

async function configuredDelivery(
  config: Config,
  database: Database,
  randomBytes: RandomBytes,
): Promise<Deliver> {
  if (config.webhookUrl === undefined) return deliverToInbox;
  const secret = config.webhookSecret ?? (await keptWebhookSecret(database, randomBytes));
  return deliverToWebhook({ url: config.webhookUrl, secret, privateDestinations: config.webhookPrivate });
}
