import type { Int64 } from "exact-json/int64";
import { runAudited } from "../accounts/audit/audit.ts";
import type { Context, Environment } from "../context.ts";
import { readPage } from "../contract/cursor.ts";
import type { Input, Page } from "../contract/operation.ts";
import { invalidMember, ServiceError, unavailable } from "../errors.ts";
import { EVENT_TYPES } from "../event-kinds/event-kinds.ts";
import { DELIVERY_SWEEP_ROWS, HOUR_MS, OVERLAP_DEFAULT_HOURS, WEBHOOKS_MAX } from "../limits.ts";
import { parseHttpUrl } from "../platform/http-url.ts";
import { privateDestinationFault } from "../platform/ip-address.ts";
import type { Maybe } from "../platform/maybe.ts";
import { found } from "../storage/row.ts";
import { writeSetting } from "../storage/setting.ts";
import type { Webhook, WebhookWithSecret, webhookOperations } from "./contract.ts";
import { dropQueued } from "./delivery-store.ts";
import { createWebhookSecret } from "./secret.ts";
import {
  encodeTypes,
  insertWebhook,
  patchWebhook,
  removeWebhook,
  replaceSecret,
  rotateSecret,
  selectWebhook,
  selectWebhookPage,
  skipToNewest,
} from "./store.ts";

/** Returns the webhook with this identifier. @throws ServiceError `not_found` */
export function getWebhook(
  ctx: Context,
  { webhookId }: Input<typeof webhookOperations.getWebhook>,
): Maybe<Webhook> {
  return found(ctx.query(selectWebhook, [webhookId]), "webhook", webhookId);
}

/** Checks that a webhook exists and is enabled. @throws ServiceError `not_found`, `webhook_disabled` */
export async function requireEnabledWebhook(ctx: Context, webhookId: Int64): Promise<void> {
  const { status } = await getWebhook(ctx, { webhookId });
  if (status === "enabled") return;
  throw new ServiceError(
    "webhook_disabled",
    `Webhook ${webhookId} is disabled. Enable it first with PATCH /webhooks/${webhookId} {"status": "enabled"}.`,
  );
}

export function listWebhooks(
  ctx: Context,
  input: Input<typeof webhookOperations.listWebhooks>,
): Maybe<Page<Webhook>> {
  return readPage(ctx, input, ["listWebhooks"], (below, count) =>
    ctx.query(selectWebhookPage, [below, count]),
  );
}

/** Adds a webhook. @throws ServiceError `invalid_body`; `conflict` if the maximum number of webhooks exists already */
export async function createWebhook(
  ctx: Context,
  { body }: Input<typeof webhookOperations.createWebhook>,
  rules: WebhookRules,
): Promise<WebhookWithSecret> {
  const { url, types = [...EVENT_TYPES], status = "enabled" } = body;
  requireAllowedUrl(url, rules);
  // Every transaction that creates a webhook writes the setting `webhooks`, so two concurrent transactions conflict. The database
  // then makes one of them retry, and the retry counts the webhook that the other transaction has created.
  await ctx.query(writeSetting, ["webhooks", ""]);
  const secret = createWebhookSecret(ctx.randomBytes);
  const column = encodeTypes(types);
  const [webhook] = await runAudited(
    ctx,
    insertWebhook,
    { url, types: column, status, createdAt: ctx.now, secret, maximum: WEBHOOKS_MAX },
    auditTextsOf,
  );
  if (webhook === undefined)
    throw new ServiceError(
      "conflict",
      `An environment can have at most ${WEBHOOKS_MAX} webhooks. Remove a webhook first: DELETE /webhooks/{webhookId}.`,
    );
  return { ...webhook, secret };
}

/**
 * Changes a webhook.
 *
 * @throws ServiceError `not_found`, `invalid_body`; `unavailable` if the webhook is enabled again before all its old deliveries
 *   have been dropped
 */
export async function updateWebhook(
  ctx: Context,
  { webhookId, body }: Input<typeof webhookOperations.updateWebhook>,
  rules: WebhookRules,
): Promise<Webhook> {
  const { url = null, types, status = null } = body;
  requireAllowedUrl(url, rules);
  const before = await getWebhook(ctx, { webhookId });
  const given = { url, types: types === undefined ? null : encodeTypes(types), status };
  const [after] = await runAudited(ctx, patchWebhook, { id: webhookId, ...given }, (changed) => {
    const { subject, detail } = auditTextsOf(changed);
    return { subject, detail: [detail, ...changesOf(before, changed)].join(", ") };
  });
  // The worker drops the deliveries of a disabled webhook after the commit. If this transaction dropped them, it could deadlock
  // with the worker.
  if (after?.status === "enabled" && before.status === "disabled") {
    await ctx.query(skipToNewest, [webhookId]);
    const dropped = await ctx.query(dropQueued, [webhookId]);
    if (dropped.length === DELIVERY_SWEEP_ROWS)
      throw unavailable(
        `The queued deliveries of webhook ${webhookId} are still being dropped. Try again in a moment.`,
      );
  }
  return after ?? before;
}

/** Describes each changed member for the audit log. */
function changesOf(before: Webhook, after: Webhook): readonly string[] {
  const types = after.types.join(" ");
  return [
    ...(before.url === after.url ? [] : ["another address"]),
    ...(before.types.join(" ") === types ? [] : [types]),
    ...(before.status === after.status ? [] : [after.status]),
  ];
}

/** Removes a webhook. @throws ServiceError `not_found` */
export async function deleteWebhook(
  ctx: Context,
  { webhookId }: Input<typeof webhookOperations.deleteWebhook>,
): Promise<undefined> {
  found(await runAudited(ctx, removeWebhook, [webhookId], auditTextsOf), "webhook", webhookId);
}

/** Replaces a webhook's secret. @throws ServiceError `not_found` */
export async function rotateWebhookSecret(
  ctx: Context,
  { webhookId, body }: Input<typeof webhookOperations.rotateWebhookSecret>,
): Promise<WebhookWithSecret> {
  const { overlapHours = OVERLAP_DEFAULT_HOURS } = body;
  const secret = createWebhookSecret(ctx.randomBytes);
  const textsOf = (webhook: Webhook) => {
    const { subject, detail } = auditTextsOf(webhook);
    return { subject, detail: `${detail}, overlap ${overlapHours} h` };
  };
  const rotated =
    overlapHours === 0
      ? await runAudited(ctx, replaceSecret, [webhookId, secret], textsOf)
      : await runAudited(ctx, rotateSecret, [webhookId, secret, ctx.now + overlapHours * HOUR_MS], textsOf);
  return { ...(await found(rotated, "webhook", webhookId)), secret };
}

/** Disables a webhook whose URL has responded with 410. `sweepDeliveries` later drops its queued deliveries. */
export async function disableGone(ctx: Context, webhookId: Int64): Promise<void> {
  await runAudited(
    ctx,
    patchWebhook,
    { id: webhookId, url: null, types: null, status: "disabled" },
    (webhook) => {
      const { subject, detail } = auditTextsOf(webhook);
      return { subject, detail: `${detail}, disabled because the URL answered 410` };
    },
  );
}

/**
 * Returns the subject and the detail of an audit entry. The detail contains only the origin of the URL, because the path may
 * contain a secret.
 */
function auditTextsOf({ id, url }: Pick<Webhook, "id" | "url">): { subject: string; detail: string } {
  return { subject: `webhook ${id}`, detail: new URL(url).origin };
}

/**
 * Rules for webhook URLs. With `PETSTORE_WEBHOOKS_PRIVATE`, a URL may lead to this machine or a private network, and may use
 * plain HTTP.
 */
export interface WebhookRules {
  readonly environment: Environment;
  readonly privateDestinations: "refuse" | "allow";
}

/**
 * Refuses a URL whose host is a private address. In production, also refuses a URL that does not use HTTPS.
 *
 * @throws ServiceError `invalid_body`
 */
function requireAllowedUrl(url: string | null, { environment, privateDestinations }: WebhookRules) {
  const parsed = url === null || privateDestinations === "allow" ? undefined : parseHttpUrl(url);
  if (parsed === undefined) return;
  const fault = privateDestinationFault(parsed, "PETSTORE_WEBHOOKS_PRIVATE");
  if (fault !== undefined) throw invalidMember("url", fault);
  if (environment === "production" && parsed.protocol !== "https:")
    throw invalidMember("url", "must be https in production, unless PETSTORE_WEBHOOKS_PRIVATE=allow is set");
}
