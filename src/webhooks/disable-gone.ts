import type { Int64 } from "exact-json/int64";
import { change } from "../accounts/audit/audited.ts";
import type { Context } from "../context.ts";
import { auditTextsOf } from "./audit-texts.ts";
import { patchWebhook } from "./store.ts";

/** Disables a webhook whose address wants no more deliveries (410); `sweepDeliveries` drops those that wait. */
export async function disableGone(ctx: Context, webhookId: Int64): Promise<void> {
  await change(ctx, patchWebhook, [webhookId, null, null, "disabled"], (webhook) => {
    const { subject, detail } = auditTextsOf(webhook);
    return { subject, detail: `${detail}, disabled by its answer 410` };
  });
}
