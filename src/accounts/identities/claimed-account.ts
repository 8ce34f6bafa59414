import {
  type AnonymousActor,
  type Context,
  inTransaction,
  type SessionActor,
  type SignUp,
} from "../../context.ts";
import { ServiceError } from "../../errors.ts";
import { SESSION_IDLE_MS } from "../../limits.ts";
import { randomBase62, randomSecret } from "../../platform/random.ts";
import type { Query } from "../../storage/database.ts";
import { guardOwners } from "../accounts.ts";
import { runAudited } from "../audit/audit.ts";
import { normalizeEmail } from "../email.ts";
import { requireInvitations } from "../invitations/invitations.ts";
import { acceptInvitationByEmail, selectInvitationByEmail } from "../invitations/store.ts";
import { notifyPerson } from "../mail/notices.ts";
import type { PasswordCheck } from "../passwords.ts";
import { holdAccount, removeSession, selectRoleOfSession } from "../sessions/session-store.ts";
import { type Begun, beginSession, requireBrowser, SIGN_IN_CHALLENGE } from "../sessions/sessions.ts";
import { createSignedIn } from "../sign-up.ts";
import { selectAccountByEmail, selectSecret } from "../store.ts";
import type { Claims } from "./openid.ts";
import type { Provider } from "./provider.ts";
import { insertIdentity, useIdentity } from "./store.ts";

// Finds or creates the account of a person who has signed in at an identity provider. An existing account is found by its link to
// the issuer and subject. A new account is created only if the person has been invited.

const ID_LENGTH = 16;

type Accepting = Pick<PasswordCheck, "passwords"> & { readonly signUp: SignUp };

export async function link(
  { accounts }: PasswordCheck,
  ctx: Context,
  browser: SessionActor,
  claims: Claims,
  provider: Provider,
) {
  const name = claims.email ?? claims.subject;
  const [linked] = await accounts.write(async (query) => {
    await requireLive(query, ctx, browser);
    const inside = { ...ctx, query };
    const rows = await addIdentity(
      inside,
      browser.accountId,
      { ...claims, name },
      { subject: browser.email },
    );
    if (rows.length > 0) await notifyPerson(inside, "provider-linked", browser.email);
    return rows;
  });
  if (linked !== undefined) return browser;
  throw new ServiceError(
    "conflict",
    `Your account was not linked. Either your petstore account is already linked to an account at ${provider.name}, or your account at ${provider.name} is linked to another petstore account.`,
  );
}

/** Links an account to a person at an identity provider. @returns no row if the account or the person already has such a link */
function addIdentity(
  ctx: Context,
  accountId: number,
  { issuer, subject, name }: Pick<Claims, "issuer" | "subject"> & { readonly name: string },
  entry: { readonly subject: string; readonly person?: string },
) {
  const id = `idn_${randomBase62(ctx.randomBytes, ID_LENGTH)}`;
  return runAudited(
    ctx,
    insertIdentity,
    { id, accountId, issuer, subject, name, createdAt: ctx.now },
    () => ({
      ...entry,
      detail: `${name} at ${issuer}`,
    }),
  );
}

/**
 * Refuses a session that ended while the service was waiting for the provider. A new password ends all sessions, to lock out an
 * intruder. If the intruder has begun to link an account, the linking must therefore fail, too.
 */
async function requireLive(query: Query, { now }: Context, { accountId, sessionId }: SessionActor) {
  await query(holdAccount, [accountId]);
  const live = await query(selectRoleOfSession, [sessionId, now, now - SESSION_IDLE_MS]);
  if (live.length > 0) return;
  throw new ServiceError(
    "unauthorized",
    "Your account was not linked, because your session has ended. Sign in, and try again.",
    {
      headers: { "WWW-Authenticate": SIGN_IN_CHALLENGE },
    },
  );
}

/** Signs in the person described by the claims. Returns undefined if no account is linked to that person. */
export async function signInAs(
  { accounts }: PasswordCheck,
  ctx: Context,
  { issuer, subject }: Claims,
): Promise<Begun | undefined> {
  const browser = requireBrowser(ctx);
  return accounts.write(async (query) => {
    const [identity] = await query(useIdentity, [issuer, subject, ctx.now]);
    const [secret] = identity === undefined ? [] : await query(selectSecret, [identity.accountId]);
    if (secret?.passwordHash === undefined) return undefined;
    const { account, passwordHash } = secret;
    await endCurrent(query, ctx);
    const token = await beginSession({ ...ctx, query }, { ...browser, account, passwordHash });
    return token === undefined ? undefined : { account, token };
  });
}

/**
 * Accepts the open invitation for a verified email address. The account gets a random password that nobody knows. To get a known
 * password, the person can reset it.
 */
export async function accept(
  { passwords, signUp }: Accepting,
  ctx: Context,
  claims: Claims,
  { name }: Provider,
): Promise<Begun> {
  const browser = requireBrowser(ctx);
  const email = verifiedAddressOf(claims);
  if (email === undefined) throw unknown(`${name} has not verified your email address`, name);
  requireInvitations(signUp);
  const [invitation] = await ctx.query(selectInvitationByEmail, [email, ctx.now]);
  const taken = await ctx.query(selectAccountByEmail, [email]);
  // A person who signs in with a provider is not necessarily the owner of the account that has the same email address in this
  // store, even if the provider has verified the address.
  if (invitation === undefined || taken.length > 0)
    throw unknown(`there is no invitation for ${email}`, name);
  const passwordHash = await passwords.hash(randomSecret(ctx.randomBytes));
  return inTransaction(ctx, async (inside) => {
    await guardOwners(inside.query);
    const [accepted] = await runAudited(inside, acceptInvitationByEmail, [email, ctx.now], ({ role }) => ({
      subject: email,
      detail: role,
      person: email,
    }));
    if (accepted === undefined) throw unknown(`there is no invitation for ${email}`, name);
    await endCurrent(inside.query, ctx);
    const begun = await createSignedIn(inside, browser, { email, passwordHash, role: accepted.role });
    const of = { ...claims, name: email };
    const linked = await addIdentity(inside, begun.account.id, of, { subject: email, person: email });
    if (linked.length === 0) throw mismatch({ name }, browser);
    return begun;
  });
}

async function endCurrent(query: Query, { actor }: Context) {
  if (actor.kind === "session") await query(removeSession, [actor.sessionId, actor.accountId]);
}

function verifiedAddressOf({ email, isVerified }: Claims): string | undefined {
  if (email === undefined || !isVerified) return undefined;
  // Refuses an address if lower case changes a non-ASCII letter in it. Some of these letters, such as the Kelvin sign, become ASCII
  // letters, and the result could be somebody else's address.
  if (/[^\x21-\x7e]/.test(email) && email.toLowerCase() !== email) return undefined;
  try {
    return normalizeEmail(email);
  } catch {
    return undefined;
  }
}

/**
 * Creates the error for an unsuccessful callback: the provider refused the person, or the callback matches no sign-in that was
 * begun in this browser.
 */
export function mismatch(
  { name }: Pick<Provider, "name">,
  { kind }: Pick<SessionActor | AnonymousActor, "kind">,
) {
  const message = `The sign-in through ${name} failed: it was cancelled, took longer than 5 minutes, or began in another browser. Try again.`;
  // The status is 403, because the console's pages would take a 401 to mean that the session has ended.
  if (kind === "session") return new ServiceError("forbidden", message);
  return new ServiceError("unauthorized", message, { headers: { "WWW-Authenticate": SIGN_IN_CHALLENGE } });
}

function unknown(reason: string, name: string): ServiceError {
  return new ServiceError(
    "forbidden",
    `You are not signed in: ${reason}. If you have an account, sign in with your password, and link ${name} on your account's page. Otherwise, ask an owner of this store for an invitation.`,
  );
}
