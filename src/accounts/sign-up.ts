import {
  type AnonymousActor,
  type Context,
  inTransaction,
  type SessionActor,
  type SignUp,
} from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { ServiceError } from "../errors.ts";
import { createAccount, type NewAccount } from "./accounts.ts";
import type { accountOperations } from "./contract.ts";
import { normalizeEmail } from "./email.ts";
import { type PasswordCheck, requireGoodPassword } from "./passwords.ts";
import { type Begun, beginSession, requireBrowser } from "./sessions/sessions.ts";

/** Describes to the operator how people get an account, for each sign-up policy. */
export const SIGN_UP_IN_WORDS: Readonly<Record<SignUp, string>> = {
  invite:
    "by invitation only: owners invite people in the console, and operators with the command petstore accounts invite",
  open: "open: everybody who can reach the console can create an account",
  closed: "closed: new accounts can be created only with the command petstore accounts create",
};

export const REFUSALS = {
  invite: "You need an invitation to create an account. Ask an owner of this store for a link.",
  closed: "Sign-up is closed. Ask the operator of this store for an account.",
} as const;

/**
 * Creates an account and signs the person in.
 *
 * @throws ServiceError (when the returned function is called) `forbidden` unless sign-up is open; `invalid_body` if the email
 *   address already has an account, or the address or password is invalid; `rate_limited`, `unavailable`
 */
export function createSignUp({ passwords, throttle }: PasswordCheck, policy: SignUp) {
  return async function signUp(
    ctx: Context,
    { body }: Input<typeof accountOperations.signUp>,
  ): Promise<Begun> {
    const browser = requireBrowser(ctx);
    if (policy !== "open") throw new ServiceError("forbidden", REFUSALS[policy]);
    const email = normalizeEmail(body.email);
    await requireGoodPassword(body.password, email);
    await throttle.consumeSignUp(browser.address, ctx.now);
    const passwordHash = await passwords.hash(body.password);
    return inTransaction(ctx, (inside) =>
      createSignedIn(inside, browser, { email, passwordHash, role: "staff" }),
    );
  };
}

export async function createSignedIn(
  ctx: Context,
  browser: SessionActor | AnonymousActor,
  made: NewAccount,
): Promise<Begun> {
  const account = await createAccount(ctx, made);
  const token = await beginSession(ctx, { ...browser, account, passwordHash: made.passwordHash });
  if (token === undefined) throw new TypeError("The account that this transaction created was not found.");
  return { account, token };
}
