import type { Int64 } from "exact-json/int64";
import { type Context, inTransaction } from "../../context.ts";
import type { Input } from "../../contract/operation.ts";
import { sha256 } from "../../platform/sha256.ts";
import { requirePerson } from "../accounts.ts";
import { runAudited } from "../audit/audit.ts";
import { notifyPerson } from "../mail/notices.ts";
import { type PasswordCheck, requireGoodPassword } from "../passwords.ts";
import { removeOtherSessions } from "../sessions/session-store.ts";
import { type Account, setPassword } from "../store.ts";
import type { invitationOperations } from "./contract.ts";
import { linkEnded, type NewLink, newLink } from "./invitations.ts";
import { putPasswordReset, selectPasswordReset } from "./store.ts";

/**
 * Creates a password reset link in the transaction of `ctx`. It replaces any earlier link for the same account.
 *
 * @throws ServiceError `not_found`, even for the local operator's account
 */
export async function createResetLink(
  ctx: Context,
  { accountId }: { readonly accountId: Int64 },
): Promise<NewLink & { readonly email: string }> {
  const { id, email } = await requirePerson(ctx, accountId);
  const { link, row } = newLink(ctx, "/reset-password");
  await runAudited(ctx, putPasswordReset, { ...row, accountId: id }, () => ({ subject: email }));
  return { ...link, email };
}

/**
 * Sets a new password by means of a reset link. Each link works only once. @throws ServiceError `not_found`, `invalid_body`,
 * `unavailable`
 */
export function createUseResetLink({ passwords }: PasswordCheck) {
  return async function useResetLink(
    ctx: Context,
    { body }: Input<typeof invitationOperations.useResetLink>,
  ): Promise<undefined> {
    const accountOf = async (inside: Context) => {
      const [accountId] = await inside.query(selectPasswordReset, [sha256(body.token), ctx.now]);
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

interface NewPassword {
  readonly account: Account;
  readonly passwordHash: string;
  /** The email address of the person who uses the reset link; absent if the password is set at the command line. */
  readonly person?: string;
}

/** Sets a new password and signs the account out everywhere. The account's API keys stay valid. */
export async function resetPassword(
  ctx: Context,
  { account, passwordHash, person }: NewPassword,
): Promise<void> {
  await runAudited(ctx, setPassword, [account.id, passwordHash], ({ email }) => ({
    subject: email,
    ...(person !== undefined && { person }),
  }));
  await ctx.query(removeOtherSessions, [account.id, ""]);
  await notifyPerson(ctx, "password-set", account.email);
}
