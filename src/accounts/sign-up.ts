import { type Context, inTransaction } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { ServiceError } from "../errors.ts";
import type { PasswordCheck } from "./check-password.ts";
import type { accountOperations } from "./contract.ts";
import { createAccount } from "./create-account.ts";
import { normalizeEmail } from "./email.ts";
import { requireGoodPassword } from "./passwords.ts";
import { requireBrowser } from "./sessions/require-session.ts";
import { beginSession } from "./sessions/sessions.ts";
import type { Begun } from "./sessions/sign-in.ts";
import { type SignUpPolicy, signUpFor } from "./sign-up-policy.ts";

export const REFUSALS = {
  invite: "Accounts are made by invitation. Ask an owner of this store for a link.",
  closed: "Sign-up is closed. Ask the operator of this store for an account.",
} as const;

/**
 * @throws ServiceError (from the verb) `forbidden` unless sign-up is open; `invalid_body` for an address that has an
 *   account already, or a password that will not do; `rate_limited`, `unavailable`
 */
export function createSignUp({ passwords, throttle }: PasswordCheck, policy: SignUpPolicy) {
  return async function signUp(
    ctx: Context,
    { body }: Input<typeof accountOperations.signUp>,
  ): Promise<Begun> {
    const browser = requireBrowser(ctx);
    const mode = signUpFor(policy, browser);
    if (mode !== "open") throw new ServiceError("forbidden", REFUSALS[mode]);
    const email = normalizeEmail(body.email);
    await requireGoodPassword(body.password, email);
    await throttle.consumeSignUp(browser.address, ctx.now);
    const passwordHash = await passwords.hash(body.password);
    return inTransaction(ctx, async (inside) => {
      const account = await createAccount(inside, { email, passwordHash, role: "staff" });
      const token = await beginSession(inside, { ...browser, account, passwordHash });
      if (token === undefined) throw new TypeError("The account was made in this transaction.");
      return { account, token };
    });
  };
}
