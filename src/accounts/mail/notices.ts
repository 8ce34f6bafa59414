import type { Context } from "../../context.ts";
import { DAY_MS } from "../../limits.ts";
import { randomBase62 } from "../../platform/random.ts";
import type { NoticeKind } from "./contract.ts";
import { insertNotice, insertOwnerNotices } from "./store.ts";

const ID_LENGTH = 16;
const NOTICES_PER_DAY = 10; // maximum number of emails in 24 hours that tell one address about one kind of change; they are limited, because a person may have signed up with somebody else's address

/** Queues an email that tells a person about a change to the person's account, in the transaction of the change. */
export async function notifyPerson(ctx: Context, kind: NoticeKind, email: string): Promise<void> {
  const { now } = ctx;
  await ctx.query(insertNotice, {
    ...{ id: newMailId(ctx), kind, email, createdAt: now },
    ...{ limit: NOTICES_PER_DAY, since: now - DAY_MS },
  });
}

/** Queues emails that tell all owners about a new owner, in the transaction of the change. */
export async function notifyOwners(ctx: Context, newOwner: string): Promise<void> {
  await ctx.query(insertOwnerNotices, { id: newMailId(ctx), newOwner, createdAt: ctx.now });
}

export function newMailId({ randomBytes }: Context): string {
  return `mail_${randomBase62(randomBytes, ID_LENGTH)}`;
}
