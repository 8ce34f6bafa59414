import type { Context } from "../context.ts";
import { invalidMember } from "../errors.ts";
import { OPERATOR_EMAIL } from "./require-account.ts";
import { type Account, insertAccount } from "./store.ts";

interface NewAccount {
  /** As `normalizeEmail` returns it. */
  readonly email: string;
  /** Hashed before: that takes too long for a transaction. */
  readonly passwordHash: string;
}

/** @throws ServiceError `invalid_body` when the address has an account already */
export async function createAccount(ctx: Context, { email, passwordHash }: NewAccount): Promise<Account> {
  if (email === OPERATOR_EMAIL) throw invalidMember("email", "is the local operator's own");
  const [account] = await ctx.query(insertAccount, [email, passwordHash, ctx.now]);
  if (account === undefined) throw invalidMember("email", "has an account already");
  return account;
}
