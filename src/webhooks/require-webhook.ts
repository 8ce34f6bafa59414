import type { Int64 } from "exact-json/int64";
import { ServiceError } from "../errors.ts";
import { andThen, type Maybe } from "../platform/maybe.ts";
import type { Query } from "../storage/database.ts";
import type { Webhook } from "./contract.ts";
import { selectWebhook } from "./store.ts";

/** @throws ServiceError `not_found` */
export function requireWebhook(query: Query, webhookId: Int64): Maybe<Webhook> {
  return andThen(query(selectWebhook, [webhookId]), ([webhook]) => {
    if (webhook === undefined) throw noWebhook(webhookId);
    return webhook;
  });
}

/** @throws ServiceError `not_found`, `webhook_disabled` */
export async function requireEnabledWebhook(query: Query, webhookId: Int64): Promise<void> {
  const { status } = await requireWebhook(query, webhookId);
  if (status === "enabled") return;
  throw new ServiceError(
    "webhook_disabled",
    `Webhook ${webhookId} is disabled. Enable it first: PATCH /webhooks/${webhookId} {"status": "enabled"}.`,
  );
}

export function noWebhook(webhookId: Int64): ServiceError {
  return new ServiceError("not_found", `There is no webhook ${webhookId}.`);
}
