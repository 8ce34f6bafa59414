import { INT64_MAX } from "../../client/src/int64.ts";
import type { Context } from "../context.ts";
import { readTextCursor, textPageOf } from "../contract/cursor.ts";
import type { Input, Page } from "../contract/operation.ts";
import { ServiceError } from "../errors.ts";
import type { inboxOperations, Message } from "./contract.ts";
import { selectMessagePage } from "./store.ts";

/** The messages of the actor's environment. */
export async function listMessages(
  { actor, query }: Context,
  { limit, cursor }: Input<typeof inboxOperations.listMessages>,
): Promise<Page<Message>> {
  if (actor.kind === "operator") throw new ServiceError("forbidden", "Messages are listed by environment.");
  const scope = ["listMessages", actor.environment];
  const { position, text } = readTextCursor(cursor, scope) ?? { position: INT64_MAX, text: "" };
  const rows = await query(selectMessagePage, [actor.environment, position, text, limit + 1]);
  return textPageOf(rows, limit, scope, ({ createdAt, id }) => ({
    position: BigInt(Date.parse(createdAt)),
    text: id,
  }));
}
