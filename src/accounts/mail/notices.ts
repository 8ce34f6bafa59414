import type { Context } from "../../context.ts";
import { randomBase62 } from "../../platform/random.ts";
import type { NoticeKind } from "./contract.ts";
import { insertNotice, insertOwnerNotices } from "./store.ts";

const ID_LENGTH = 16;

/** Queues a mail that tells a person about a change to the account, in the transaction of the change. */
export async function notifyPerson(ctx: Context, kind: NoticeKind, email: string): Promise<void> {
  await ctx.query(insertNotice, { id: newMailId(ctx), kind, email, createdAt: ctx.now });
}

/** Queues a mail to each owner that says who has become an owner, in the transaction of the change. */
export async function notifyOwners(ctx: Context, newOwner: string): Promise<void> {
  await ctx.query(insertOwnerNotices, { id: newMailId(ctx), newOwner, createdAt: ctx.now });
}

export function newMailId({ randomBytes }: Context): string {
  return `mail_${randomBase62(randomBytes, ID_LENGTH)}`;
}
