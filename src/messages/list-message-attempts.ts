import type { DeliveryAttempt } from "../attempts/contract.ts";
import { selectAttempts } from "../attempts/store.ts";
import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { DELIVERY_ATTEMPTS_SHOWN_MAX } from "../limits.ts";
import type { inboxOperations } from "./contract.ts";
import { getMessage } from "./get-message.ts";

/** @throws ServiceError `not_found` */
export async function listMessageAttempts(
  ctx: Context,
  input: Input<typeof inboxOperations.listMessageAttempts>,
): Promise<DeliveryAttempt[]> {
  const { id } = await getMessage(ctx, input);
  return [...(await ctx.query(selectAttempts, [id, DELIVERY_ATTEMPTS_SHOWN_MAX]))];
}
