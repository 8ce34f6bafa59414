import type { Context } from "../../context.ts";
import type { Input } from "../../contract/operation.ts";
import { ServiceError } from "../../errors.ts";
import { change } from "../audit/audited.ts";
import type { invitationOperations } from "./contract.ts";
import { withdrawInvitationRow } from "./store.ts";

/** @throws ServiceError `not_found` */
export async function withdrawInvitation(
  ctx: Context,
  { invitationId }: Input<typeof invitationOperations.withdrawInvitation>,
): Promise<undefined> {
  const withdrawn = await change(ctx, withdrawInvitationRow, [invitationId], ({ email, id, role }) => ({
    subject: email || id,
    detail: role,
  }));
  if (withdrawn.length === 0) throw new ServiceError("not_found", "There is no such invitation.");
}
