import type { Context } from "../../context.ts";
import type { Input } from "../../contract/operation.ts";
import { ServiceError } from "../../errors.ts";
import type { accountOperations } from "../contract.ts";
import { requireSession } from "./require-session.ts";
import { removeSession } from "./session-store.ts";

/** @throws ServiceError `not_found`, also for a session of another account */
export async function endSession(
  ctx: Context,
  { sessionId }: Input<typeof accountOperations.endSession>,
): Promise<undefined> {
  const removed = await ctx.query(removeSession, [sessionId, requireSession(ctx).accountId]);
  if (removed.length === 0) throw new ServiceError("not_found", "There is no such session.");
}
