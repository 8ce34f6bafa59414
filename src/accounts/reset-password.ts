import type { Context } from "../context.ts";
import { removeOtherSessions } from "./session-store.ts";
import { type Account, setPassword } from "./store.ts";

/** Sets another password and ends every session of the account. Keys stay valid. */
export async function resetPassword(
  ctx: Context,
  { account, passwordHash }: { account: Account; passwordHash: string },
): Promise<void> {
  await ctx.query(setPassword, [account.id, passwordHash]);
  await ctx.query(removeOtherSessions, [account.id, ""]);
}
