import { change } from "../accounts/audit/audited.ts";
import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { unavailable } from "../errors.ts";
import { DELIVERY_SWEEP_ROWS } from "../limits.ts";
import { auditTextsOf } from "./audit-texts.ts";
import type { Webhook, webhookOperations } from "./contract.ts";
import { dropWaiting } from "./delivery-store.ts";
import { requirePublicUrl, type WebhookRules } from "./require-public-url.ts";
import { requireWebhook } from "./require-webhook.ts";
import { encodeTypes, patchWebhook } from "./store.ts";

/** @throws ServiceError `not_found`, `invalid_body`, `unavailable` while the deliveries of a disabled one are dropped */
export async function updateWebhook(
  ctx: Context,
  { webhookId, body }: Input<typeof webhookOperations.updateWebhook>,
  rules: WebhookRules,
): Promise<Webhook> {
  const { url = null, types, status = null, ...rest } = body;
  rest satisfies Record<string, never>;
  requirePublicUrl(url, rules);
  const before = await requireWebhook(ctx.query, webhookId);
  const column = types === undefined ? null : encodeTypes(types);
  const [after] = await change(ctx, patchWebhook, [webhookId, url, column, status], (changed) => {
    const { subject, detail } = auditTextsOf(changed);
    return { subject, detail: [detail, ...changesOf(before, changed)].join(", ") };
  });
  // Those of one that was disabled the worker drops after the commit: in this transaction it would be in its own way.
  if (after?.status === "enabled" && before.status === "disabled") {
    const dropped = await ctx.query(dropWaiting, [webhookId]);
    if (dropped.length === DELIVERY_SWEEP_ROWS)
      throw unavailable(`The deliveries of webhook ${webhookId} are still being dropped. Try again.`);
  }
  return after ?? before;
}

/** For the audit list: what another webhook it is now. */
function changesOf(before: Webhook, after: Webhook): readonly string[] {
  const types = after.types.join(" ");
  return [
    ...(before.url === after.url ? [] : ["another address"]),
    ...(before.types.join(" ") === types ? [] : [types]),
    ...(before.status === after.status ? [] : [after.status]),
  ];
}
