import type { Context } from "../context.ts";
import { removeOtherSessions } from "./session-store.ts";
import { type Account, setPassword } from "./store.ts";

interface NewPassword {
  readonly account: Account;
  readonly passwordHash: string;
}

/** For a password that was forgotten: sets another one and ends every session of the account. Keys stay as they are. */
export async function resetPassword(ctx: Context, { account, passwordHash }: NewPassword): Promise<void> {
  await ctx.query(setPassword, [account.id, passwordHash]);
  await ctx.query(removeOtherSessions, [account.id, ""]);
}
