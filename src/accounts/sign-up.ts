import {
  type AnonymousActor,
  type Browser,
  type Context,
  inTransaction,
  type SessionActor,
  type SignUp,
} from "../context.ts";
import type { Input } from "../contract/operation.ts";
import { ServiceError } from "../errors.ts";
import { isLoopbackHost } from "../platform/ip-address.ts";
import { createAccount, type NewAccount } from "./accounts.ts";
import type { accountOperations } from "./contract.ts";
import { normalizeEmail } from "./email.ts";
import { type PasswordCheck, requireGoodPassword } from "./passwords.ts";
import { type Begun, beginSession, requireBrowser } from "./sessions/sessions.ts";

export interface SignUpPolicy {
  readonly mode: SignUp;
  /** True if sign-up is `open` by default, which is limited to browsers on this machine. */
  readonly isForThisMachine: boolean;
}

interface SignUpSettings {
  readonly signUp: SignUp | undefined;
  readonly host: string;
  readonly metricsHost: string;
  readonly productionUrl: string | undefined;
  readonly stagingUrl: string | undefined;
  readonly messagesUrl: string | undefined;
  readonly trustedProxies: unknown;
}

export function signUpPolicyOf(settings: SignUpSettings): SignUpPolicy {
  const { signUp, host, metricsHost, productionUrl, stagingUrl, messagesUrl, trustedProxies } = settings;
  if (signUp !== undefined) return { mode: signUp, isForThisMachine: false };
  const isReachable =
    ![host, metricsHost].every(isLoopbackHost) ||
    [productionUrl, stagingUrl, messagesUrl, trustedProxies].some((setting) => setting !== undefined);
  return isReachable ? { mode: "invite", isForThisMachine: false } : { mode: "open", isForThisMachine: true };
}

export function signUpFor({ mode, isForThisMachine }: SignUpPolicy, { isLocal }: Browser): SignUp {
  return isForThisMachine && !isLocal ? "invite" : mode;
}

/** Describes the sign-up policy, and how to get an account or why it applies, for the operator. */
export function describeSignUp(policy: SignUpPolicy, setting: string): string {
  if (policy.isForThisMachine)
    return `open to browsers on this machine, because ${setting} is not set and every port is on loopback`;
  return {
    open: "open: everybody who reaches the console can create an account",
    invite: "by invitation: petstore accounts invite, or an owner in the console",
    closed: "closed: petstore accounts create",
  }[policy.mode];
}

export const REFUSALS = {
  invite: "Accounts are made by invitation. Ask an owner of this store for a link.",
  closed: "Sign-up is closed. Ask the operator of this store for an account.",
} as const;

/**
 * Creates an account and signs in to it. @throws ServiceError (from the verb) `forbidden` unless sign-up is open;
 *   `invalid_body` for an address with an account, or an invalid address or password; `rate_limited`, `unavailable`
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
  if (token === undefined) throw new TypeError("The account was made in this transaction.");
  return { account, token };
}
