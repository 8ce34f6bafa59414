import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import type { Maybe } from "../platform/maybe.ts";
import type { Webhook, webhookOperations } from "./contract.ts";
import { requireWebhook } from "./require-webhook.ts";

/** @throws ServiceError `not_found` */
export function getWebhook(
  { query }: Context,
  { webhookId }: Input<typeof webhookOperations.getWebhook>,
): Maybe<Webhook> {
  return requireWebhook(query, webhookId);
}
