import { change } from "../accounts/audit/audited.ts";
import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { HOUR_MS, OVERLAP_DEFAULT_HOURS } from "../limits.ts";
import { auditTextsOf } from "./audit-texts.ts";
import type { WebhookWithSecret, webhookOperations } from "./contract.ts";
import { noWebhook } from "./require-webhook.ts";
import { createWebhookSecret } from "./secret.ts";
import { rotateSecret } from "./store.ts";

/** @throws ServiceError `not_found` */
export async function rotateWebhookSecret(
  ctx: Context,
  { webhookId, body }: Input<typeof webhookOperations.rotateWebhookSecret>,
): Promise<WebhookWithSecret> {
  const { overlapHours = OVERLAP_DEFAULT_HOURS } = body;
  const until = overlapHours === 0 ? null : ctx.now + overlapHours * HOUR_MS;
  const secret = createWebhookSecret(ctx.randomBytes);
  const [webhook] = await change(ctx, rotateSecret, [webhookId, secret, until], (rotated) => {
    const { subject, detail } = auditTextsOf(rotated);
    return { subject, detail: `${detail}, overlap ${overlapHours} h` };
  });
  if (webhook === undefined) throw noWebhook(webhookId);
  return { ...webhook, secret };
}
