import { change } from "../accounts/audit/audited.ts";
import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { auditTextsOf } from "./audit-texts.ts";
import type { webhookOperations } from "./contract.ts";
import { noWebhook } from "./require-webhook.ts";
import { removeWebhook } from "./store.ts";

/** @throws ServiceError `not_found` */
export async function deleteWebhook(
  ctx: Context,
  { webhookId }: Input<typeof webhookOperations.deleteWebhook>,
): Promise<undefined> {
  const removed = await change(ctx, removeWebhook, [webhookId], auditTextsOf);
  if (removed.length === 0) throw noWebhook(webhookId);
}
