import { type Context, inTransaction } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { removeAccount } from "./accounts.ts";
import { change } from "./audit/audited.ts";
import type { accountOperations } from "./contract.ts";
import { checkPassword, type PasswordCheck, requireGoodPassword, wrongPassword } from "./passwords.ts";
import { removeOtherSessions } from "./sessions/session-store.ts";
import { requireSession } from "./sessions/sessions.ts";
import { replacePassword } from "./store.ts";

/**
 * Sets another password and ends every other session, in both environments.
 *
 * @throws ServiceError (from the verb) `invalid_body`, `rate_limited`, `unavailable`
 */
export function createChangePassword(check: PasswordCheck) {
  return async function changePassword(
    ctx: Context,
    { body }: Input<typeof accountOperations.changePassword>,
  ): Promise<undefined> {
    const browser = requireSession(ctx);
    const { email, accountId, sessionId } = browser;
    await requireGoodPassword(body.newPassword, email, "newPassword");
    const secret = await checkPassword(check, ctx, { email, password: body.currentPassword, browser });
    if (secret === undefined) throw wrongPassword("currentPassword");
    const hash = await check.passwords.hash(body.newPassword);
    await inTransaction(ctx, async (inside) => {
      const changed = await change(inside, replacePassword, [accountId, secret.passwordHash, hash], () => ({
        subject: email,
      }));
      if (changed.length === 0) throw wrongPassword("currentPassword");
      await inside.query(removeOtherSessions, [accountId, sessionId]);
    });
  };
}

/**
 * Deletes the actor's own account, as `removeAccount` does.
 *
 * @throws ServiceError (from the verb) `invalid_body` for a wrong password; `forbidden` for the last owner; `rate_limited`, `unavailable`
 */
export function createDeleteAccount(check: PasswordCheck) {
  return async function deleteAccount(
    ctx: Context,
    { body }: Input<typeof accountOperations.deleteAccount>,
  ): Promise<undefined> {
    const browser = requireSession(ctx);
    const secret = await checkPassword(check, ctx, {
      email: browser.email,
      password: body.password,
      browser,
    });
    if (secret === undefined) throw wrongPassword("password");
    await inTransaction(ctx, (inside) => removeAccount(inside, browser));
  };
}
