import type { Browser, Context, Environment, SessionActor } from "../../context.ts";
import { SESSION_IDLE_MS, SESSION_LIFE_MS } from "../../limits.ts";
import { randomBase62, randomSecret } from "../../platform/random.ts";
import { sha256 } from "../../platform/sha256.ts";
import type { Database } from "../../storage/database.ts";
import { change } from "../audit/audited.ts";
import type { Account } from "../store.ts";
import { knownAddress } from "./login-rules.ts";
import { putKnownAddress } from "./login-throttle-store.ts";
import {
  holdAccount,
  insertSession,
  markSessionSeen,
  type OwnedSession,
  type Session,
  selectSessionByHash,
} from "./session-store.ts";

const SESSION_SEEN_INTERVAL_MS = 10 * 60_000; // of a session's last use; then a request writes it

const ID_LENGTH = 16;

interface NewSession extends Browser {
  readonly account: Pick<Account, "id" | "email">;
  readonly passwordHash: string;
  readonly environment: Environment;
}

/** Begins a session inside a transaction. The token is for the cookie, and nowhere else: what is stored is its hash. */
export async function beginSession(
  ctx: Context,
  { account, passwordHash, environment, userAgent, address, isSharedAddress }: NewSession,
): Promise<string | undefined> {
  const token = randomSecret(ctx.randomBytes);
  const id = `ses_${randomBase62(ctx.randomBytes, ID_LENGTH)}`;
  const ends = ctx.now + SESSION_LIFE_MS;
  await ctx.query(holdAccount, [account.id]);
  const made = await change(
    ctx,
    insertSession,
    [id, account.id, environment, sha256(token), userAgent, ctx.now, ends, passwordHash],
    () => ({ subject: account.email, person: account.email }),
  );
  if (made.length === 0) return undefined;
  if (!isSharedAddress)
    await ctx.query(putKnownAddress, [knownAddress(account.id, address), account.id, ctx.now]);
  return token;
}

/** The actor of a session cookie; undefined when its session is unknown, has ended, or belongs to another environment. */
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
