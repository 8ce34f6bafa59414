import type { Int64 } from "exact-json/int64";
import { type Context, inTransaction } from "../../context.ts";
import type { Input } from "../../contract/operation.ts";
import { LINK_LIFE_MS } from "../../limits.ts";
import { change } from "../audit/audited.ts";
import type { PasswordCheck } from "../check-password.ts";
import { requireGoodPassword } from "../passwords.ts";
import { requirePerson } from "../require-account.ts";
import { resetPassword } from "../reset-password.ts";
import { linkEnded } from "./accept-invitation.ts";
import type { invitationOperations } from "./contract.ts";
import { makerOf, type NewLink } from "./create-invitation.ts";
import { createLinkToken, hashLinkToken } from "./link-token.ts";
import { putPasswordReset, selectPasswordReset } from "./store.ts";

/**
 * Makes a link that sets a new password, inside a transaction. It ends the account's link before it.
 *
 * @throws ServiceError `not_found`, also for the local operator's account
 */
export async function createResetLink(
  ctx: Context,
  { accountId }: { readonly accountId: Int64 },
): Promise<NewLink> {
  const { id, email } = await requirePerson(ctx, accountId);
  const { token, tokenHash } = createLinkToken(ctx.randomBytes);
  const expiresAt = ctx.now + LINK_LIFE_MS;
  await change(ctx, putPasswordReset, [id, tokenHash, makerOf(ctx), ctx.now, expiresAt], () => ({
    subject: email,
  }));
  return { token, expiresAt };
}

/**
 * Sets the password that a link is for, once.
 *
 * @throws ServiceError (from the verb) `not_found`, `invalid_body`, `unavailable`
 */
export function createUseResetLink({ passwords }: PasswordCheck) {
  return async function useResetLink(
    ctx: Context,
    { body }: Input<typeof invitationOperations.useResetLink>,
  ): Promise<undefined> {
    const accountOf = async (inside: Context) => {
      const [accountId] = await inside.query(selectPasswordReset, [hashLinkToken(body.token), ctx.now]);
      if (accountId === undefined) throw linkEnded();
      return requirePerson(inside, accountId);
    };
    const { email } = await accountOf(ctx);
    await requireGoodPassword(body.password, email);
    const passwordHash = await passwords.hash(body.password);
    await inTransaction(ctx, async (inside) => {
      const account = await accountOf(inside);
      await resetPassword(inside, { account, passwordHash, person: account.email });
    });
  };
}
