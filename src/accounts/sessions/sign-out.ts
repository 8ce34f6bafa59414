import type { Context } from "../../context.ts";
import { requireSession } from "./require-session.ts";
import { removeSession } from "./session-store.ts";

/** Ends the actor's session. */
export async function signOut(ctx: Context): Promise<undefined> {
  const { sessionId, accountId } = requireSession(ctx);
  await ctx.query(removeSession, [sessionId, accountId]);
}
