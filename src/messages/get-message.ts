import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { ServiceError } from "../errors.ts";
import type { Message, messageOperations } from "./contract.ts";
import { selectMessage, selectMessageOf } from "./store.ts";

/** @throws ServiceError `not_found` */
export async function getMessage(
  ctx: Context,
  { id }: Input<typeof messageOperations.getMessage>,
): Promise<Message> {
  const { actor } = ctx;
  // A person looks at one environment; a program knows the identifier because it has submitted the message.
  const [message] =
    actor.kind === "session"
      ? await ctx.query(selectMessageOf, [id, actor.environment])
      : await ctx.query(selectMessage, [id]);
  if (message === undefined) throw new ServiceError("not_found", "There is no such message.");
  return message;
}
