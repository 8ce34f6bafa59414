import type { Context } from "../../context.ts";
import { SESSION_IDLE_MS } from "../../limits.ts";
import { formatTime } from "../../platform/clock.ts";
import type { OpenSession } from "../contract.ts";
import { requireSession } from "./require-session.ts";
import { selectSessions } from "./session-store.ts";

/** The account's open sessions in the actor's environment, newest first. */
export async function listSessions(ctx: Context): Promise<OpenSession[]> {
  const { accountId, environment, sessionId } = requireSession(ctx);
  const idleSince = ctx.now - SESSION_IDLE_MS;
  const sessions = await ctx.query(selectSessions, [accountId, environment, ctx.now, idleSince]);
  return sessions.map(({ id, userAgent, createdAt, lastSeenAt, expiresAt }) => ({
    id,
    createdAt: formatTime(createdAt),
    lastSeenAt: formatTime(lastSeenAt),
    expiresAt: formatTime(expiresAt),
    userAgent,
    isCurrent: id === sessionId,
  }));
}
