import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import type { inboxOperations, Message } from "./contract.ts";
import { getMessage } from "./get-message.ts";
import { requeueMessage } from "./store.ts";
import { environmentOf } from "./submit-message.ts";

/** @throws ServiceError `not_found` */
export async function resendMessage(
  ctx: Context,
  input: Input<typeof inboxOperations.resendMessage>,
): Promise<Message> {
  const [queued] = await ctx.query(requeueMessage, [input.id, environmentOf(ctx.actor), ctx.now]);
  return queued ?? getMessage(ctx, input);
}
