import type { Context } from "../../context.ts";
import type { Input } from "../../contract/operation.ts";
import { invalidMember, ServiceError } from "../../errors.ts";
import { randomBase62, randomSecret } from "../../platform/random.ts";
import { sha256 } from "../../platform/sha256.ts";
import type { Query } from "../../storage/database.ts";
import { recordFailedSignIn, runAudited } from "../audit/audit.ts";
import { notifyPerson } from "../mail/notices.ts";
import { type PasswordCheck, requireOwnPassword } from "../passwords.ts";
import { removeSession } from "../sessions/session-store.ts";
import {
  type Begun,
  beginSession,
  requireBrowser,
  requireSession,
  SIGN_IN_CHALLENGE,
} from "../sessions/sessions.ts";
import { selectAccount, selectSecretByEmail } from "../store.ts";
import type { PasskeyChallenge, PasskeyCreation, passkeyOperations } from "./contract.ts";
import {
  advanceSignCount,
  deletePasskey,
  insertPasskey,
  type Passkey,
  selectPasskeyByCredential,
  selectPasskeys,
} from "./store.ts";
import {
  ALGORITHMS,
  base64url,
  beginChallenge,
  endChallenge,
  relyingPartyOf,
  verifyAssertion,
  verifyAttestation,
} from "./verify.ts";

const PASSKEYS_MAX = 20; // maximum number of passkeys per account; further passkeys are refused

const ID_LENGTH = 16;

/**
 * Begins to add a passkey. The password is checked first, because anybody at an unattended screen could otherwise gain permanent
 * access.
 *
 * @throws ServiceError (when the returned function is called) `invalid_body` if the password is wrong or the account has the
 *   maximum number of passkeys; `forbidden`, `rate_limited`, `unavailable`
 */
export function createBeginPasskey(check: PasswordCheck) {
  return async function beginPasskey(
    ctx: Context,
    { body }: Input<typeof passkeyOperations.beginPasskey>,
  ): Promise<PasskeyCreation> {
    const browser = requireSession(ctx);
    const { accountId, email, accountCreatedAt, sessionId } = browser;
    const { id: rpId } = relyingPartyOf(browser);
    await requireOwnPassword(check, ctx, browser, body.password);
    const passkeys = await ctx.query(selectPasskeys, [accountId]);
    if (passkeys.length >= PASSKEYS_MAX)
      throw invalidMember("name", `cannot be added: an account can have at most ${PASSKEYS_MAX} passkeys`);
    return {
      challenge: await beginChallenge(check.accounts.run, ctx.randomBytes, sessionId, ctx.now),
      rpId,
      // A device overwrites an existing passkey with a new one if both have the same `userId`. The account's identifier alone
      // must not be the `userId`, because another store at localhost may have an account with the same identifier.
      userId: base64url(sha256(`${email} ${accountCreatedAt}`)),
      userName: email,
      algorithms: ALGORITHMS,
      excluded: passkeys.map(({ credentialId }) => credentialId),
    };
  };
}

/** Adds a passkey. @throws ServiceError `invalid_body` if the device's response does not match the session's challenge */
export function createAddPasskey({ accounts }: PasswordCheck) {
  return async function addPasskey(
    ctx: Context,
    { body }: Input<typeof passkeyOperations.addPasskey>,
  ): Promise<Passkey> {
    const browser = requireSession(ctx);
    const { accountId, email, sessionId } = browser;
    const party = relyingPartyOf(browser);
    const challenge = await endChallenge(accounts, [sessionId], ctx.now);
    if (challenge === undefined) throw notMade("the request has expired or was already used");
    const made = await verifyAttestation(body, challenge, party);
    if (made === undefined) throw notMade("the device's response does not belong to this request");
    return accounts.write(async (query) => {
      const { credentialId, publicKey, signCount } = made;
      const name = body.name.trim();
      const id = `psk_${randomBase62(ctx.randomBytes, ID_LENGTH)}`;
      const [passkey] = await runAudited(
        { ...ctx, query },
        insertPasskey,
        { id, accountId, credentialId, publicKey, signCount, host: party.id, name, createdAt: ctx.now },
        () => ({ subject: email, detail: name }),
      );
      if (passkey === undefined) throw notMade("this device already has a passkey for this account");
      await notifyPerson({ ...ctx, query }, "passkey-added", email);
      return passkey;
    });
  };
}

function notMade(reason: string): ServiceError {
  return new ServiceError("invalid_body", `The passkey was not added: ${reason}. Add it again.`);
}

interface BegunPasskeySignIn {
  readonly challenge: PasskeyChallenge;
  readonly token: string;
}

/**
 * Begins a sign-in with a passkey, and counts it as a failed attempt from this network address until it succeeds.
 *
 * @throws ServiceError (when the returned function is called) `forbidden`, `rate_limited`
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

/** Signs in a person with a passkey. @throws ServiceError `unauthorized`, with the same message for every cause */
export function createSignInWithPasskey({ accounts, throttle }: PasswordCheck) {
  async function signInAs(ctx: Context, passkey: Passkey, signCount: number): Promise<Begun | undefined> {
    const browser = requireBrowser(ctx);
    return accounts.write(async (query) => {
      if ((await query(advanceSignCount, [passkey.id, signCount, ctx.now])).length === 0) return undefined;
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
    // No rate limit has counted a request without a challenge. The request is refused without a write to the database, because
    // anybody can send any number of such requests.
    if (challenge === undefined) throw refusal();
    const [passkey] = await ctx.query(selectPasskeyByCredential, [body.credentialId]);
    if (passkey === undefined) throw await refused(ctx, accounts.run, passkey);
    const signCount = await verifyAssertion(body, passkey, challenge, party);
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
    "The passkey was not accepted. Try again, or sign in with your password.",
    { headers: { "WWW-Authenticate": SIGN_IN_CHALLENGE } },
  );
}

/**
 * Removes a passkey. Every account that can sign in has a password, so removing the last passkey locks nobody out.
 *
 * @throws ServiceError `not_found`, even for a passkey of another account
 */
export async function removePasskey(
  ctx: Context,
  { passkeyId }: Input<typeof passkeyOperations.removePasskey>,
): Promise<undefined> {
  const { accountId, email } = requireSession(ctx);
  const removed = await runAudited(ctx, deletePasskey, [passkeyId, accountId], ({ name }) => ({
    subject: email,
    detail: name,
  }));
  if (removed.length === 0) throw new ServiceError("not_found", "There is no such passkey.");
}
