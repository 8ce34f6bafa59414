import { type Context, inTransaction } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { checkPassword, type PasswordCheck, wrongPassword } from "./check-password.ts";
import type { accountOperations } from "./contract.ts";
import { removeAccount } from "./remove-account.ts";
import { requireSession } from "./sessions/require-session.ts";

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
