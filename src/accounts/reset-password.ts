import type { Context } from "../context.ts";
import { change } from "./audit/audited.ts";
import { removeOtherSessions } from "./sessions/session-store.ts";
import { type Account, setPassword } from "./store.ts";

interface NewPassword {
  readonly account: Account;
  readonly passwordHash: string;
  /** The person whom a link has authenticated. */
  readonly person?: string;
}

/** Sets another password and ends every session of the account. Keys stay valid. */
export async function resetPassword(
  ctx: Context,
  { account, passwordHash, person }: NewPassword,
): Promise<void> {
  await change(ctx, setPassword, [account.id, passwordHash], ({ email }) => ({
    subject: email,
    ...(person !== undefined && { person }),
  }));
  await ctx.query(removeOtherSessions, [account.id, ""]);
}
