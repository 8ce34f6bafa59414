import type { Int64 } from "exact-json/int64";
import type { Context } from "../context.ts";
import { ServiceError } from "../errors.ts";
import { singleRow } from "../storage/row.ts";
import { change } from "./audit/audited.ts";
import { type Account, insertAccount, selectAccount, selectAccountByEmail } from "./store.ts";

/** Owns the keys made at the command line. It has no password, so that it cannot sign in. */
export const OPERATOR_EMAIL = "operator@localhost";

/**
 * An account that can sign in.
 *
 * @throws ServiceError `not_found`, also for the local operator's
 */
export async function requirePerson(ctx: Context, accountId: Int64): Promise<Account> {
  const [account] = await ctx.query(selectAccount, [accountId]);
  if (account?.canSignIn) return account;
  throw new ServiceError("not_found", "There is no such account.");
}

/**
 * The account with this address; without one, the local operator's, which is made on first use.
 *
 * @throws ServiceError `not_found`
 */
export async function requireAccount(ctx: Context, email: string = OPERATOR_EMAIL): Promise<Account> {
  if (email === OPERATOR_EMAIL)
    await change(ctx, insertAccount, [email, null, "owner", ctx.now], () => ({ subject: email }));
  const accounts = await ctx.query(selectAccountByEmail, [email]);
  if (accounts.length === 0) throw new ServiceError("not_found", `There is no account ${email}.`);
  return singleRow(accounts);
}
