import type { DeliveryAttempt } from "../attempts/contract.ts";
import { selectAttempts } from "../attempts/store.ts";
import type { Actor, Context, Environment } from "../context.ts";
import { readPageBy } from "../contract/cursor.ts";
import type { Input, Page } from "../contract/operation.ts";
import { ServiceError } from "../errors.ts";
import { DELIVERY_ATTEMPTS_SHOWN_MAX } from "../limits.ts";
import { randomBase62 } from "../platform/random.ts";
import { singleRow } from "../storage/row.ts";
import type { inboxOperations, Message, messageOperations } from "./contract.ts";
import { insertMessage, type Queue, requeueMessage, selectMessage, selectMessagePage } from "./store.ts";

/** Length of a message's random identifier, in characters: 22 characters of base62 hold 131 bits. */
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

/** The environment of the actor's messages. @throws ServiceError `forbidden` for the operator, who has none */
function environmentOf(actor: Actor): Environment {
  if (actor.kind === "operator") throw new ServiceError("forbidden", "Messages belong to an environment.");
  return actor.environment;
}

/** A message by its identifier. @throws ServiceError `not_found` */
export async function getMessage(
  ctx: Context,
  { id }: Input<typeof messageOperations.getMessage>,
): Promise<Message> {
  const [message] = await ctx.query(selectMessage, [id, environmentOf(ctx.actor)]);
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
    ({ position, text }, count) => query(selectMessagePage, [environment, position, text, count]),
  );
}

/** The attempts to deliver a message. @throws ServiceError `not_found` */
export async function listMessageAttempts(
  ctx: Context,
  input: Input<typeof inboxOperations.listMessageAttempts>,
): Promise<DeliveryAttempt[]> {
  const { id } = await getMessage(ctx, input);
  return [...(await ctx.query(selectAttempts, [id, DELIVERY_ATTEMPTS_SHOWN_MAX]))];
}

/** Queues a message again. @throws ServiceError `not_found` */
export async function resendMessage(
  ctx: Context,
  input: Input<typeof inboxOperations.resendMessage>,
): Promise<Message> {
  const [queued] = await ctx.query(requeueMessage, [input.id, environmentOf(ctx.actor), ctx.now]);
  return queued ?? getMessage(ctx, input);
}

/**
 * Depth, age and lateness of the delivery queue. A message that waits for its retry is not late.
 *
 * @param now milliseconds since 1970
 */
export function queueStats({ depth, oldestAt, dueAt }: Queue, now: number) {
  const secondsSince = (then: number | undefined) => Math.max(0, now - (then ?? now)) / 1000;
  return { depth, oldestSeconds: secondsSince(oldestAt), overdueSeconds: secondsSince(dueAt) };
}
