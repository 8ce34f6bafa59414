import type { Actor, Context, Environment } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { ServiceError } from "../errors.ts";
import { randomBase62 } from "../platform/random.ts";
import { singleRow } from "../storage/row.ts";
import type { Message, messageOperations } from "./contract.ts";
import { insertMessage } from "./store.ts";

/** 22 characters of base62 hold 131 bits. */
const ID_LENGTH = 22;

export async function submitMessage(
  ctx: Context,
  { body }: Input<typeof messageOperations.submitMessage>,
): Promise<Message> {
  const id = `msg_${randomBase62(ctx.randomBytes, ID_LENGTH)}`;
  const { now, actor, traceparent } = ctx;
  const environment = environmentOf(actor);
  return singleRow(await ctx.query(insertMessage, [id, body.message, now, environment, traceparent ?? null]));
}

/**
 * The environment that the actor's messages belong to.
 *
 * @throws ServiceError `forbidden` for the operator
 */
export function environmentOf(actor: Actor): Environment {
  if (actor.kind === "operator") throw new ServiceError("forbidden", "Messages belong to an environment.");
  return actor.environment;
}
