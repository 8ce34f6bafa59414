import type { Context, SignUp } from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { ServiceError } from "../errors.ts";
import type { PasswordCheck } from "./check-password.ts";
import type { accountOperations } from "./contract.ts";
import { createAccount } from "./create-account.ts";
import { normalizeEmail } from "./email.ts";
import { requireGoodPassword } from "./passwords.ts";
import { requireBrowser } from "./require-session.ts";
import { beginSession } from "./sessions.ts";
import type { Begun } from "./sign-in.ts";

/**
 * @throws ServiceError (from the verb) `forbidden` when sign-up is closed; `invalid_body` for an address that has an
 *   account already, or a password that will not do; `rate_limited`, `unavailable`
 */
export function createSignUp({ passwords, throttle }: PasswordCheck, mode: SignUp) {
  return async function signUp(
    ctx: Context,
    { body }: Input<typeof accountOperations.signUp>,
  ): Promise<Begun> {
    const browser = requireBrowser(ctx);
    if (mode === "closed") {
      throw new ServiceError(
        "forbidden",
        "Sign-up is closed. Ask the operator of this store for an account.",
      );
    }
    const email = normalizeEmail(body.email);
    requireGoodPassword(body.password, email);
    await throttle.consumeSignUp(browser.address, ctx.now);
    const passwordHash = await passwords.hash(body.password);
    const account = await createAccount(ctx, { email, passwordHash });
    const token = await beginSession(ctx.query, ctx.randomBytes, {
      ...browser,
      accountId: account.id,
      passwordHash,
      now: ctx.now,
    });
    if (token === undefined) throw new ServiceError("unauthorized", "Sign in first.");
    return { account, token };
  };
}
