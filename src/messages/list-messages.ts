import type { Context } from "../context.ts";
import { readPageBy } from "../contract/cursor.ts";
import type { Input, Page } from "../contract/operation.ts";
import type { inboxOperations, Message } from "./contract.ts";
import { selectMessagePage } from "./store.ts";
import { environmentOf } from "./submit-message.ts";

/** The messages of the actor's environment. */
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
