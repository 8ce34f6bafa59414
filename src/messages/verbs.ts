import type { Actor, Context, Environment } from "../context.ts";
import { readPageBy } from "../contract/cursor.ts";
import type { Input, Page } from "../contract/operation.ts";
import { gatherAttempts } from "../delivery-queue/store.ts";
import { ServiceError } from "../errors.ts";
import { randomBase62 } from "../platform/random.ts";
import { singleRow } from "../storage/row.ts";
import type { inboxOperations, Message, MessageWithAttempts, messageOperations } from "./contract.ts";
import { insertMessage, requeueMessage, selectMessage, selectMessagePage } from "./store.ts";

/** The length of a message's random identifier. 22 characters of base62 contain 131 bits. */
const ID_LENGTH = 22;

export async function submitMessage(
  ctx: Context,
  { body }: Input<typeof messageOperations.submitMessage>,
): Promise<Message> {
  const id = `msg_${randomBase62(ctx.randomBytes, ID_LENGTH)}`;
  const row = {
    id,
    message: body.message,
    createdAt: ctx.now,
    environment: environmentOf(ctx.actor),
    traceparent: ctx.request?.traceparent ?? null,
  };
  return singleRow(await ctx.query(insertMessage, row));
}

/**
 * Returns the environment that the actor's messages belong to.
 *
 * @throws ServiceError `forbidden` for the operator, who has no environment
 */
function environmentOf(actor: Actor): Environment {
  if (actor.kind === "operator")
    throw new ServiceError(
      "forbidden",
      "The operator belongs to no environment, and so cannot send a message.",
    );
  return actor.environment;
}

/** Returns the message with this identifier. @throws ServiceError `not_found` */
export async function getMessage(
  ctx: Context,
  { id }: Input<typeof messageOperations.getMessage>,
): Promise<MessageWithAttempts> {
  const [message] = gatherAttempts(await ctx.query(selectMessage, [id, environmentOf(ctx.actor)]));
  if (message === undefined) throw new ServiceError("not_found", "There is no such message.");
  return message;
}

export async function listMessages(
  { actor, query }: Context,
  paging: Input<typeof inboxOperations.listMessages>,
): Promise<Page<Message>> {
  const environment = environmentOf(actor);
  return readPageBy(
    ["listMessages", environment],
    paging,
    ({ createdAt, id }) => ({ position: BigInt(Date.parse(createdAt)), text: id }),
    ({ position, text }, limit) =>
      query(selectMessagePage, { environment, createdAt: position, id: text, limit }),
  );
}

/** Queues a failed message again. @throws ServiceError `not_found`; `conflict` unless the message has failed */
export async function redeliverMessage(
  ctx: Context,
  { id }: Input<typeof messageOperations.redeliverMessage>,
): Promise<MessageWithAttempts> {
  const { status } = await getMessage(ctx, { id });
  if (status !== "failed")
    throw new ServiceError("conflict", `The message is ${status}. Only a failed message can be sent again.`);
  await ctx.query(requeueMessage, [id, ctx.now]);
  return getMessage(ctx, { id });
}
