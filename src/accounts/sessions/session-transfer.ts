import { type Context, type Environment, inTransaction } from "../../context.ts";
import type { Input } from "../../contract/operation.ts";
import { ServiceError } from "../../errors.ts";
import { SESSION_IDLE_MS, TRANSFER_TOKEN_MS } from "../../limits.ts";
import { randomSecret } from "../../platform/random.ts";
import type { transferOperations } from "../contract.ts";
import { putChallenge, selectChallenge, takeChallenge } from "../passkeys/store.ts";
import { hashOf } from "../passkeys/verify.ts";
import { selectSecret } from "../store.ts";
import { removeSession, selectLiveSession } from "./session-store.ts";
import { type Begun, beginSession, requireBrowser, requireSession, SIGN_IN_CHALLENGE } from "./sessions.ts";

/**
 * Creates a token that lets the person of this session sign in to staging once. Only the token's hash is stored, together with the
 * session's identifier.
 */
export async function createTransferToken(ctx: Context): Promise<string> {
  const { sessionId } = requireSession(ctx);
  const token = randomSecret(ctx.randomBytes);
  await ctx.query(putChallenge, {
    holder: holderOf(token, "staging"),
    challenge: sessionId,
    expiresAt: ctx.now + TRANSFER_TOKEN_MS,
  });
  return token;
}

/**
 * Signs in the person who created a transfer token, and returns the page to show next. The new session expires at the same time as
 * the session that created the token.
 *
 * @throws ServiceError `unauthorized` if the token was used or has expired, or the session that created it has ended
 */
export async function transferSession(
  ctx: Context,
  { body: { token, page } }: Input<typeof transferOperations.transferSession>,
): Promise<Begun & { readonly page: string }> {
  const browser = requireBrowser(ctx);
  const holder = holderOf(token, browser.environment);
  // An unknown token is refused without a write to the database. Otherwise, anybody could cause any number of writes, because no
  // rate limit counts such requests.
  const [known] = await ctx.query(selectChallenge, [holder]);
  const begun = known === undefined ? undefined : await inTransaction(ctx, beginTransferred);
  if (begun !== undefined) return { ...begun, page };
  throw new ServiceError(
    "unauthorized",
    "Your sign-in from the production console has expired, or was already used. In the production console, choose Staging again.",
    {
      headers: { "WWW-Authenticate": SIGN_IN_CHALLENGE },
    },
  );

  async function beginTransferred(inside: Context): Promise<Begun | undefined> {
    const { query, now } = inside;
    const [sessionId] = await query(takeChallenge, [holder, now]);
    if (sessionId === undefined) return undefined;
    const [live] = await query(selectLiveSession, [sessionId, now, now - SESSION_IDLE_MS]);
    const [secret] = live === undefined ? [] : await query(selectSecret, [live.accountId]);
    if (live === undefined || secret?.passwordHash === undefined) return undefined;
    if (browser.kind === "session") await query(removeSession, [browser.sessionId, browser.accountId]);
    const { account, passwordHash } = secret;
    const from = { expiresAt: live.expiresAt, detail: "from production" };
    const begunToken = await beginSession(inside, { ...browser, ...from, account, passwordHash });
    return begunToken === undefined ? undefined : { account, token: begunToken };
  }
}

/**
 * Returns the key that identifies a transfer token in the database. The key contains the environment and the purpose, so the token
 * is not valid for anything else.
 */
const holderOf = (token: string, environment: Environment) => hashOf(`transfer to ${environment} ${token}`);
