import { requireSession } from "../accounts/sessions/sessions.ts";
import type { Context } from "../context.ts";
import { hasRole } from "../contract/operation.ts";
import type { KeyView } from "../keys/contract.ts";
import type { ApiKey } from "../keys/store.ts";
import { listKeys, viewOfKey } from "../keys/verbs.ts";
import { WEBHOOKS_MAX } from "../limits.ts";
import { countFailedMessages } from "../messages/store.ts";
import type { Query } from "../storage/database.ts";
import { singleRow } from "../storage/row.ts";
import type { Webhook } from "../webhooks/contract.ts";
import { selectFailingWebhooks } from "../webhooks/delivery-store.ts";
import { selectWebhookPage } from "../webhooks/store.ts";

const EXPIRY_NOTICE_MS = 30 * 24 * 3_600_000; // before a key's expiry: the console lists it
const ATTENTION_MESSAGES = 100; // of the latest messages, whose failures it counts

type NamedWebhook = Pick<Webhook, "id" | "url">;

/** What is wrong between the store and programs: the members of a response. */
export interface ProgramNotices {
  /** Of the latest messages. */
  readonly failedMessages: number;
  readonly disabledWebhooks: readonly NamedWebhook[];
  /** Enabled ones. */
  readonly failingWebhooks: readonly NamedWebhook[];
  readonly expiringKeys: readonly KeyView[];
}

/** Webhooks have identifiers below this. */
const ALL = Number.MAX_SAFE_INTEGER;

export interface NoticeSources {
  readonly accounts: Query;
  readonly messages: Query;
}

/** Webhooks are for owners alone; of keys, a person's own: only their account can replace them. */
export async function findProgramNotices(
  ctx: Context,
  { accounts, messages }: NoticeSources,
): Promise<ProgramNotices> {
  const { query, now } = ctx;
  const actor = requireSession(ctx);
  const failed = await messages(countFailedMessages, [actor.environment, ATTENTION_MESSAGES]);
  const keys = await listKeys({ ...ctx, query: accounts }, actor);
  const isOwner = hasRole(actor.role, "owner");
  const webhooks = isOwner ? await query(selectWebhookPage, [ALL, WEBHOOKS_MAX]) : [];
  return {
    failedMessages: singleRow(failed),
    disabledWebhooks: webhooks.filter(({ status }) => status === "disabled").map(named),
    failingWebhooks: isOwner ? await query(selectFailingWebhooks, [ALL]) : [],
    expiringKeys: keys.filter((key) => expiresSoon(key, now)).map(viewOfKey),
  };
}

function named({ id, url }: Webhook): NamedWebhook {
  return { id, url };
}

function expiresSoon({ revokedAt, replacedBy, expiresAt }: ApiKey, now: number): boolean {
  return (
    revokedAt === undefined &&
    replacedBy === undefined &&
    expiresAt !== undefined &&
    expiresAt > now &&
    expiresAt <= now + EXPIRY_NOTICE_MS
  );
}
