import type { Context } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { checkPassword, type PasswordCheck, wrongPassword } from "./check-password.ts";
import type { accountOperations } from "./contract.ts";
import { requireSession } from "./require-session.ts";
import { removeAccount } from "./store.ts";

/**
 * Deletes the actor's account, with its keys and sessions in both environments. What was done with them stays.
 *
 * @throws ServiceError (from the verb) `invalid_body` for a wrong password; `rate_limited`, `unavailable`
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
    await ctx.query(removeAccount, [browser.accountId]);
  };
}
