import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { ServiceError } from "../errors.ts";
import type { Message, messageOperations } from "./contract.ts";
import { selectMessage } from "./store.ts";
import { environmentOf } from "./submit-message.ts";

/** @throws ServiceError `not_found` */
export async function getMessage(
  ctx: Context,
  { id }: Input<typeof messageOperations.getMessage>,
): Promise<Message> {
  const [message] = await ctx.query(selectMessage, [id, environmentOf(ctx.actor)]);
  if (message === undefined) throw new ServiceError("not_found", "There is no such message.");
  return message;
}
