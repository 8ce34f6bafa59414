import type { Context } from "../context.ts";
import { removeOtherSessions } from "./session-store.ts";
import { type Account, setPassword } from "./store.ts";

interface NewPassword {
  readonly account: Account;
  readonly passwordHash: string;
}

/** Sets another password and ends every session of the account. Keys stay valid. */
export async function resetPassword(ctx: Context, { account, passwordHash }: NewPassword): Promise<void> {
  await ctx.query(setPassword, [account.id, passwordHash]);
  await ctx.query(removeOtherSessions, [account.id, ""]);
}
