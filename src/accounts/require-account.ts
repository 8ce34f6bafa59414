import type { Context } from "../context.ts";
import { ServiceError } from "../errors.ts";
import { singleRow } from "../storage/row.ts";
import { type Account, insertAccount, selectAccountByEmail } from "./store.ts";

/** Owns the keys made at the command line. It has no password, so that it cannot sign in. */
export const OPERATOR_EMAIL = "operator@localhost";

/**
 * The account with this address; without one, the local operator's, which is made on first use.
 *
 * @throws ServiceError `not_found`
 */
export async function requireAccount(ctx: Context, email: string = OPERATOR_EMAIL): Promise<Account> {
  if (email === OPERATOR_EMAIL) await ctx.query(insertAccount, [email, null, ctx.now]);
  const accounts = await ctx.query(selectAccountByEmail, [email]);
  if (accounts.length === 0) throw new ServiceError("not_found", `There is no account ${email}.`);
  return singleRow(accounts);
}
