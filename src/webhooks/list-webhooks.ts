import type { Context } from "../context.ts";
import { readPage } from "../contract/cursor.ts";
import type { Input, Page } from "../contract/operation.ts";
import type { Maybe } from "../platform/maybe.ts";
import type { Webhook, webhookOperations } from "./contract.ts";
import { selectWebhookPage } from "./store.ts";

export function listWebhooks(
  { actor, query }: Context,
  input: Input<typeof webhookOperations.listWebhooks>,
): Maybe<Page<Webhook>> {
  return readPage(actor, input, ["listWebhooks"], (below, count) => query(selectWebhookPage, [below, count]));
}
