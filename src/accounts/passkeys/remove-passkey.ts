import type { Context } from "../../context.ts";
import type { Input } from "../../contract/operation.ts";
import { ServiceError } from "../../errors.ts";
import { change } from "../audit/audited.ts";
import { requireSession } from "../sessions/require-session.ts";
import type { passkeyOperations } from "./contract.ts";
import { deletePasskey } from "./store.ts";

/**
 * Every account that can sign in has a password, so that its last passkey is never the last way in.
 *
 * @throws ServiceError `not_found`, also for a passkey of another account
 */
export async function removePasskey(
  ctx: Context,
  { passkeyId }: Input<typeof passkeyOperations.removePasskey>,
): Promise<undefined> {
  const { accountId, email } = requireSession(ctx);
  const removed = await change(ctx, deletePasskey, [passkeyId, accountId], ({ name }) => ({
    subject: email,
    detail: name,
  }));
  if (removed.length === 0) throw new ServiceError("not_found", "There is no such passkey.");
}
