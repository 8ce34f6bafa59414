import type { Context } from "../context.ts";
import type { Role } from "../contract/operation.ts";
import { invalidMember } from "../errors.ts";
import { change } from "./audit/audited.ts";
import { guardOwners, hasPeople } from "./owners.ts";
import { OPERATOR_EMAIL } from "./require-account.ts";
import { type Account, insertAccount } from "./store.ts";

interface NewAccount {
  /** As `normalizeEmail` returns it. */
  readonly email: string;
  /** Hashed before: that takes too long for a transaction. */
  readonly passwordHash: string;
  /** The first account is an owner's in any case. */
  readonly role: Role;
}

/**
 * Makes an account inside a transaction.
 *
 * @throws ServiceError `invalid_body` when the address has an account already
 */
export async function createAccount(
  ctx: Context,
  { email, passwordHash, role }: NewAccount,
): Promise<Account> {
  if (email === OPERATOR_EMAIL) throw invalidMember("email", "is the local operator's own");
  await guardOwners(ctx.query);
  const given = (await hasPeople(ctx.query)) ? role : "owner";
  const [account] = await change(ctx, insertAccount, [email, passwordHash, given, ctx.now], () => ({
    subject: email,
    detail: given,
    ...(ctx.actor.kind === "anonymous" && { person: email }),
  }));
  if (account === undefined) throw invalidMember("email", "has an account already");
  return account;
}
