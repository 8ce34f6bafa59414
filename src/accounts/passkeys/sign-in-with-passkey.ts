import type { Context } from "../../context.ts";
import type { Input } from "../../contract/operation.ts";
import { ServiceError } from "../../errors.ts";
import { randomSecret } from "../../platform/random.ts";
import type { Query } from "../../storage/database.ts";
import { recordFailedSignIn } from "../audit/audited.ts";
import type { PasswordCheck } from "../check-password.ts";
import { requireBrowser, SIGN_IN_CHALLENGE } from "../sessions/require-session.ts";
import { removeSession } from "../sessions/session-store.ts";
import { beginSession } from "../sessions/sessions.ts";
import type { Begun } from "../sessions/sign-in.ts";
import { selectAccount, selectSecretByEmail } from "../store.ts";
import { beginChallenge, endChallenge } from "./challenge.ts";
import type { PasskeyChallenge, passkeyOperations } from "./contract.ts";
import { relyingPartyOf } from "./relying-party.ts";
import { markPasskeyUsed, type Passkey, selectPasskeyByCredential } from "./store.ts";
import { type Assertion, verifyAssertion } from "./verify.ts";

/** A challenge, and the token of the cookie that binds it to the browser. */
interface BegunPasskeySignIn {
  readonly challenge: PasskeyChallenge;
  readonly token: string;
}

/**
 * Counts as an attempt of the address until it has ended well.
 *
 * @throws ServiceError (from the verb) `forbidden`, `rate_limited`
 */
export function createBeginPasskeySignIn({ accounts, throttle }: PasswordCheck) {
  return async function beginPasskeySignIn(ctx: Context): Promise<BegunPasskeySignIn> {
    const browser = requireBrowser(ctx);
    const { id: rpId } = relyingPartyOf(browser);
    await throttle.consumePasskey(browser.address, ctx.now);
    const token = randomSecret(ctx.randomBytes);
    return {
      challenge: { challenge: await beginChallenge(accounts.run, ctx.randomBytes, token, ctx.now), rpId },
      token,
    };
  };
}

/** @throws ServiceError (from the verb) `unauthorized`, in the same words for every cause */
export function createSignInWithPasskey({ accounts, throttle }: PasswordCheck) {
  async function signInAs(ctx: Context, passkey: Passkey, signCount: number): Promise<Begun | undefined> {
    const browser = requireBrowser(ctx);
    return accounts.write(async (query) => {
      if ((await query(markPasskeyUsed, [passkey.id, signCount, ctx.now])).length === 0) return undefined;
      const secret = await secretOf(query, passkey);
      if (secret?.passwordHash === undefined) return undefined;
      const { account, passwordHash } = secret;
      if (browser.kind === "session") await query(removeSession, [browser.sessionId, browser.accountId]);
      const token = await beginSession({ ...ctx, query }, { ...browser, account, passwordHash });
      return token === undefined ? undefined : { account, token };
    });
  }

  return async function signInWithPasskey(
    ctx: Context,
    { body }: Input<typeof passkeyOperations.signInWithPasskey>,
  ): Promise<Begun> {
    const browser = requireBrowser(ctx);
    const party = relyingPartyOf(browser);
    const challenge = await endChallenge(accounts, browser.passkeyTokens, ctx.now);
    // Nothing is written for such a request: unlike one with a challenge, no limit has counted it.
    if (challenge === undefined) throw refusal();
    const [passkey] = await ctx.query(selectPasskeyByCredential, [body.credentialId]);
    if (passkey === undefined) throw await refused(ctx, accounts.run, passkey);
    const signCount = await verifyAssertion(body satisfies Assertion, passkey, challenge, party);
    const begun = signCount === undefined ? undefined : await signInAs(ctx, passkey, signCount);
    if (begun === undefined) throw await refused(ctx, accounts.run, passkey);
    await throttle.resetPasskey(browser.address);
    return begun;
  };
}

async function secretOf(query: Query, { accountId }: Passkey) {
  const [account] = await query(selectAccount, [accountId]);
  if (account === undefined) return undefined;
  const [secret] = await query(selectSecretByEmail, [account.email]);
  return secret;
}

async function refused(ctx: Context, query: Query, passkey: Passkey | undefined): Promise<ServiceError> {
  const [account] = passkey === undefined ? [] : await query(selectAccount, [passkey.accountId]);
  await recordFailedSignIn({ ...ctx, query }, account?.email);
  return refusal();
}

function refusal(): ServiceError {
  return new ServiceError(
    "unauthorized",
    "The passkey was not accepted. Try again, or sign in with the password.",
    { headers: { "WWW-Authenticate": SIGN_IN_CHALLENGE } },
  );
}
