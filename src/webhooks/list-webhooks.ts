import type { Context } from "../context.ts";
import { readPage } from "../contract/cursor.ts";
import type { Input, Page } from "../contract/operation.ts";
import type { Maybe } from "../platform/maybe.ts";
import type { Webhook, webhookOperations } from "./contract.ts";
import { selectWebhookPage } from "./store.ts";

export function listWebhooks(
  ctx: Context,
  input: Input<typeof webhookOperations.listWebhooks>,
): Maybe<Page<Webhook>> {
  return readPage(ctx, input, ["listWebhooks"], (below, count) =>
    ctx.query(selectWebhookPage, [below, count]),
  );
}
