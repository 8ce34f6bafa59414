import type { Int64 } from "exact-json/int64";
import type { Context } from "../context.ts";
import { change } from "./audit/audited.ts";
import { guardOwners, requireSecondOwner } from "./owners.ts";
import { requirePerson } from "./require-account.ts";
import { deleteAccountRow } from "./store.ts";

/**
 * Removes an account, with its keys and sessions in both environments. What was done with them stays.
 *
 * @throws ServiceError `not_found`; `forbidden` for the last owner
 */
export async function removeAccount(
  ctx: Context,
  { accountId }: { readonly accountId: Int64 },
): Promise<undefined> {
  await guardOwners(ctx.query);
  const { email, role } = await requirePerson(ctx, accountId);
  if (role === "owner") await requireSecondOwner(ctx.query, email);
  await change(ctx, deleteAccountRow, [accountId], () => ({ subject: email, detail: role }));
}
