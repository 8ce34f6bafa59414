import type { Context, SessionActor, SignUp } from "../../context.ts";
import type { Input } from "../../contract/operation.ts";
import { ServiceError } from "../../errors.ts";
import { randomSecret } from "../../platform/random.ts";
import { recordFailedSignIn, runAudited } from "../audit/audit.ts";
import { beginChallenge, endChallenge } from "../passkeys/verify.ts";
import { type PasswordCheck, requireOwnPassword } from "../passwords.ts";
import { type Begun, requireBrowser, requireSession } from "../sessions/sessions.ts";
import { accept, link, mismatch, signInAs } from "./claimed-account.ts";
import { type identityOperations, RETURN_PATH } from "./contract.ts";
import type { Provider } from "./provider.ts";
import { deleteIdentity, selectIdentities } from "./store.ts";

interface IdentityOptions {
  readonly check: PasswordCheck;
  /** The identity provider that people can sign in with; undefined if none is configured. */
  readonly provider: Provider | undefined;
  readonly origin: () => string;
  readonly signUp: SignUp;
}

export type Identities = ReturnType<typeof createIdentities>;

/**
 * The URL of the provider's sign-in page, and a token. A cookie stores the token, so that the browser is recognized when it comes
 * back from the provider.
 */
interface Begin {
  readonly url: string;
  readonly token: string;
}

type Ended =
  | { readonly outcome: "signed-in"; readonly begun: Begun }
  | { readonly outcome: "linked"; readonly account: SessionActor };

/** Sign-in through an OpenID Connect provider, with the authorization code flow, PKCE, `state` and `nonce`. */
export function createIdentities({ check, provider: configured, origin, signUp }: IdentityOptions) {
  const { accounts, throttle } = check;
  const redirectUri = () => `${origin()}${RETURN_PATH}`;

  function requireProvider(): Provider {
    if (configured !== undefined) return configured;
    throw new ServiceError(
      "not_found",
      "This store is not set up for signing in with a provider such as Google.",
    );
  }

  async function depart(ctx: Context, holderOf: (token: string) => string): Promise<Begin> {
    const provider = requireProvider();
    const token = randomSecret(ctx.randomBytes);
    const secret = await beginChallenge(accounts.run, ctx.randomBytes, holderOf(token), ctx.now);
    return { token, url: await provider.departure(secret, redirectUri()) };
  }

  /** Begins a sign-in, and counts it as a failed attempt from this network address until it succeeds. */
  async function beginProviderSignIn(ctx: Context): Promise<Begin> {
    requireProvider();
    await throttle.consumePasskey(requireBrowser(ctx).address, ctx.now);
    return depart(ctx, signInHolder);
  }

  /**
   * Begins to link an account to a provider. The password is checked first, because anybody at an unattended screen could
   * otherwise gain permanent access.
   */
  async function beginIdentity(
    ctx: Context,
    { body }: Input<typeof identityOperations.beginIdentity>,
  ): Promise<Begin> {
    const browser = requireSession(ctx);
    await requireOwnPassword(check, ctx, browser, body.password);
    return depart(ctx, (token) => linkHolder(browser.sessionId, token));
  }

  /**
   * Completes a sign-in, or the linking of an account, that was begun in this browser.
   *
   * @throws ServiceError `unauthorized`, with the same message for every cause; `forbidden`, `conflict`, `unavailable`
   */
  async function endProviderSignIn(
    ctx: Context,
    { body }: Input<typeof identityOperations.endProviderSignIn>,
  ): Promise<Ended> {
    const provider = requireProvider();
    const browser = requireBrowser(ctx);
    const tokens = browser.passkeyTokens;
    if (browser.kind === "session") {
      const holders = tokens.map((token) => linkHolder(browser.sessionId, token));
      const secret = await endChallenge(accounts, holders, ctx.now);
      if (secret !== undefined) {
        const claims = await provider.arrival(secret, redirectUri(), body.query);
        if (claims === undefined) throw mismatch(provider, browser);
        return { outcome: "linked", account: await link(check, ctx, browser, claims, provider) };
      }
    }
    const secret = await endChallenge(accounts, tokens.map(signInHolder), ctx.now);
    // If this browser has not begun a sign-in, no rate limit has counted the request. The request is refused without a write to the
    // database, because anybody can send any number of such requests.
    if (secret === undefined) throw mismatch(provider, browser);
    const claims = await provider.arrival(secret, redirectUri(), body.query);
    if (claims === undefined) {
      await recordFailedSignIn({ ...ctx, query: accounts.run }, undefined);
      throw mismatch(provider, browser);
    }
    const begun =
      (await signInAs(check, ctx, claims)) ?? (await accept({ ...check, signUp }, ctx, claims, provider));
    await throttle.resetPasskey(browser.address);
    return { outcome: "signed-in", begun };
  }

  return {
    providerName: configured?.name,
    beginProviderSignIn,
    beginIdentity,
    endProviderSignIn,
    removeIdentity: createRemoveIdentity(check),
    listIdentities: (ctx: Context) => ctx.query(selectIdentities, [requireSession(ctx).accountId]),
    signOutAtProvider: async () => ({ url: (await configured?.end(`${origin()}/sign-in`)) ?? null }),
  };
}

/**
 * Removes the link between an account and an identity provider. The password is checked first: without the link, a person who
 * does not know the password could no longer sign in.
 */
function createRemoveIdentity(check: PasswordCheck) {
  return async function removeIdentity(
    ctx: Context,
    { identityId, body }: Input<typeof identityOperations.removeIdentity>,
  ): Promise<undefined> {
    const browser = requireSession(ctx);
    await requireOwnPassword(check, ctx, browser, body.password);
    const removed = await check.accounts.write((query) =>
      runAudited({ ...ctx, query }, deleteIdentity, [identityId, browser.accountId], ({ name, issuer }) => ({
        subject: browser.email,
        detail: `${name} at ${issuer}`,
      })),
    );
    if (removed.length === 0)
      throw new ServiceError("not_found", "Your account has no linked account with this identifier.");
  };
}

// Each challenge is stored under a key that contains its purpose. A challenge for signing in can therefore not be used to link an
// account, and vice versa.
const signInHolder = (token: string) => `sign-in ${token}`;
const linkHolder = (sessionId: string, token: string) => `link ${sessionId} ${token}`;
