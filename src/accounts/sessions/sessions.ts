import {
  type AnonymousActor,
  type Browser,
  type Context,
  type Environment,
  inTransaction,
  type SessionActor,
} from "../../context.ts";
import type { Input } from "../../contract/operation.ts";
import { ServiceError } from "../../errors.ts";
import { SESSION_IDLE_MS, SESSION_LIFE_MS } from "../../limits.ts";
import { formatTime } from "../../platform/clock.ts";
import { randomBase62, randomSecret } from "../../platform/random.ts";
import { sha256 } from "../../platform/sha256.ts";
import type { Database } from "../../storage/database.ts";
import { runAudited } from "../audit/audit.ts";
import type { accountOperations, OpenSession } from "../contract.ts";
import { knownEmail } from "../email.ts";
import { checkPassword, type PasswordCheck } from "../passwords.ts";
import type { Account } from "../store.ts";
import { knownAddress } from "./login-rules.ts";
import { putKnownAddress } from "./login-store.ts";
import {
  holdAccount,
  insertSession,
  markSessionSeen,
  type OwnedSession,
  removeSession,
  type Session,
  selectSessionByHash,
  selectSessions,
} from "./session-store.ts";

/**
 * The `WWW-Authenticate` challenge for browsers (RFC 9110 §11.6.1). Its scheme is Cookie, because browsers show no sign-in dialog
 * for that scheme.
 */
export const SIGN_IN_CHALLENGE = 'Cookie realm="petstore", form-action="/sign-in"';

/** Refuses a request that was not sent by a signed-in person. @throws ServiceError `forbidden` */
export function requireSession({ actor }: Context): SessionActor {
  if (actor.kind === "session") return actor;
  throw new ServiceError("forbidden", "This request works only for a signed-in user. Sign in at /sign-in.");
}

/** Refuses a request that was not sent by a person with a browser. @throws ServiceError `forbidden` */
export function requireBrowser({ actor }: Context): SessionActor | AnonymousActor {
  if (actor.kind === "session" || actor.kind === "anonymous") return actor;
  throw new ServiceError("forbidden", "This request works only in the console, not with an API key.");
}

const SESSION_SEEN_INTERVAL_MS = 10 * 60_000; // precision of a session's time of last use

const ID_LENGTH = 16;

interface NewSession extends Browser {
  readonly account: Pick<Account, "id" | "email">;
  readonly passwordHash: string;
  readonly environment: Environment;
  /** Time at which the session ends, even if it is in use. The default is `SESSION_LIFE_MS` from now. */
  readonly expiresAt?: number;
  /** Text for the audit log that says how the person signed in. */
  readonly detail?: string;
}

/**
 * Creates a session in the transaction of `ctx`, and returns a token for the browser's cookie. Only the hash of the token is
 * stored.
 */
export async function beginSession(
  ctx: Context,
  { expiresAt = ctx.now + SESSION_LIFE_MS, detail = "", ...session }: NewSession,
): Promise<string | undefined> {
  const { account, passwordHash, environment, userAgent, address, isSharedAddress } = session;
  const token = randomSecret(ctx.randomBytes);
  const id = `ses_${randomBase62(ctx.randomBytes, ID_LENGTH)}`;
  await ctx.query(holdAccount, [account.id]);
  const made = await runAudited(
    ctx,
    insertSession,
    {
      id,
      accountId: account.id,
      environment,
      tokenHash: sha256(token),
      userAgent,
      createdAt: ctx.now,
      expiresAt,
      passwordHash,
    },
    () => ({ subject: account.email, detail, person: account.email }),
  );
  if (made.length === 0) return undefined;
  if (!isSharedAddress) {
    const subject = knownAddress(account.id, address);
    await ctx.query(putKnownAddress, { subject, accountId: account.id, lastAt: ctx.now });
  }
  return token;
}

/** Returns the actor of a session cookie, or undefined if the session is unknown, has ended, or belongs to another environment. */
export async function verifySession(
  accounts: Database,
  token: string,
  environment: Environment,
  browser: Browser,
  now: number,
): Promise<SessionActor | undefined> {
  if (!/^[0-9A-Za-z]{43}$/.test(token)) return undefined;
  const [session] = await accounts.read(selectSessionByHash, [sha256(token)]);
  if (session === undefined || session.environment !== environment || hasEnded(session, now))
    return undefined;
  if (now - session.lastSeenAt > SESSION_SEEN_INTERVAL_MS)
    await accounts.run(markSessionSeen, [session.id, now]);
  return actorOf(session, browser);
}

function hasEnded({ expiresAt, lastSeenAt }: Session, now: number): boolean {
  return expiresAt <= now || now - lastSeenAt >= SESSION_IDLE_MS;
}

function actorOf(
  { id, accountId, email, role, accountCreatedAt, environment }: OwnedSession,
  browser: Browser,
): SessionActor {
  return {
    kind: "session",
    sessionId: id,
    accountId,
    email,
    role,
    accountCreatedAt,
    environment,
    ...browser,
  };
}

/** The account of a new session, and the token for the session's cookie. */
export interface Begun {
  readonly account: Pick<Account, "id" | "email" | "role" | "createdAt">;
  readonly token: string;
}

/** Signs in with a password. @throws ServiceError `unauthorized`, even for an unknown address; `rate_limited`, `unavailable` */
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
    // No session was created, because somebody changed the password or removed the account while the password was being checked.
    if (token === undefined) throw wrong();
    return { account, token };
  };
}

function wrong(): ServiceError {
  return new ServiceError("unauthorized", "The email address or the password is wrong.", {
    headers: { "WWW-Authenticate": SIGN_IN_CHALLENGE },
  });
}

export async function signOut(ctx: Context): Promise<undefined> {
  const { sessionId, accountId } = requireSession(ctx);
  await ctx.query(removeSession, [sessionId, accountId]);
}

/** Returns the account's valid sessions in both environments, newest first. */
export async function listSessions(ctx: Context): Promise<OpenSession[]> {
  const { accountId, sessionId } = requireSession(ctx);
  const { now } = ctx;
  const sessions = await ctx.query(selectSessions, { accountId, now, idleSince: now - SESSION_IDLE_MS });
  return sessions.map(({ id, environment, userAgent, createdAt, lastSeenAt, expiresAt }) => ({
    id,
    environment,
    createdAt: formatTime(createdAt),
    lastSeenAt: formatTime(lastSeenAt),
    expiresAt: formatTime(expiresAt),
    userAgent,
    isCurrent: id === sessionId,
  }));
}

/** Ends a session of the actor's account. @throws ServiceError `not_found`, even for a session of another account */
export async function endSession(
  ctx: Context,
  { sessionId }: Input<typeof accountOperations.endSession>,
): Promise<undefined> {
  const removed = await ctx.query(removeSession, [sessionId, requireSession(ctx).accountId]);
  if (removed.length === 0) throw new ServiceError("not_found", "There is no such session.");
}
