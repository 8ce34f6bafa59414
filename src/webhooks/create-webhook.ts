import { change } from "../accounts/audit/audited.ts";
import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { invalidMember } from "../errors.ts";
import { EVENT_TYPES } from "../events/event.ts";
import { WEBHOOKS_MAX } from "../limits.ts";
import { auditTextsOf } from "./audit-texts.ts";
import type { WebhookWithSecret, webhookOperations } from "./contract.ts";
import { requirePublicUrl, type WebhookRules } from "./require-public-url.ts";
import { createWebhookSecret } from "./secret.ts";
import { encodeTypes, insertWebhook } from "./store.ts";

/** @throws ServiceError `invalid_body`, also for one webhook too many */
export async function createWebhook(
  ctx: Context,
  { body: { url, types = [...EVENT_TYPES] } }: Input<typeof webhookOperations.createWebhook>,
  rules: WebhookRules,
): Promise<WebhookWithSecret> {
  requirePublicUrl(url, rules);
  const secret = createWebhookSecret(ctx.randomBytes);
  const column = encodeTypes(types);
  const [webhook] = await change(
    ctx,
    insertWebhook,
    [url, column, ctx.now, secret, WEBHOOKS_MAX],
    auditTextsOf,
  );
  if (webhook === undefined)
    throw invalidMember("url", `is one too many: an environment has at most ${WEBHOOKS_MAX} webhooks`);
  return { ...webhook, secret };
}
