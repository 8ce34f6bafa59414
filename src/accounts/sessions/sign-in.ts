import { type Context, inTransaction } from "../../context.ts";
import type { Input } from "../../contract/operation.ts";
import { ServiceError } from "../../errors.ts";
import { checkPassword, type PasswordCheck } from "../check-password.ts";
import type { accountOperations } from "../contract.ts";
import { knownEmail } from "../email.ts";
import type { Account } from "../store.ts";
import { requireBrowser, SIGN_IN_CHALLENGE } from "./require-session.ts";
import { removeSession } from "./session-store.ts";
import { beginSession } from "./sessions.ts";

/** A session that has begun: its account, and the token for its cookie. */
export interface Begun {
  readonly account: Pick<Account, "email" | "role" | "createdAt">;
  readonly token: string;
}

/**
 * @throws ServiceError (from the verb) `unauthorized`, in the same words for an address without an account;
 *   `rate_limited`, `unavailable`
 */
export function createSignIn(check: PasswordCheck) {
  return async function signIn(
    ctx: Context,
    { body }: Input<typeof accountOperations.signIn>,
  ): Promise<Begun> {
    const browser = requireBrowser(ctx);
    const email = knownEmail(body.email);
    const secret = await checkPassword(check, ctx, { email, password: body.password, browser });
    if (secret === undefined) throw wrong();
    const { account, passwordHash } = secret;
    const token = await inTransaction(ctx, async (inside) => {
      if (browser.kind === "session")
        await inside.query(removeSession, [browser.sessionId, browser.accountId]);
      return beginSession(inside, { ...browser, account, passwordHash });
    });
    // Changed or gone while it was being checked.
    if (token === undefined) throw wrong();
    return { account, token };
  };
}

function wrong(): ServiceError {
  return new ServiceError("unauthorized", "The email address or the password is wrong.", {
    headers: { "WWW-Authenticate": SIGN_IN_CHALLENGE },
  });
}
