import type { Int64 } from "exact-json/int64";
import type { Context } from "../context.ts";
import type { Role } from "../contract/operation.ts";
import { singleRow } from "../storage/row.ts";
import { change } from "./audit/audited.ts";
import { guardOwners, requireSecondOwner } from "./owners.ts";
import { requirePerson } from "./require-account.ts";
import { type Account, updateRole } from "./store.ts";

interface NewRole {
  readonly accountId: Int64;
  readonly role: Role;
}

/**
 * Gives an account another role, which counts for its sessions and keys at once.
 *
 * @throws ServiceError `not_found`; `forbidden` for the last owner
 */
export async function setRole(ctx: Context, { accountId, role }: NewRole): Promise<Account> {
  await guardOwners(ctx.query);
  const before = await requirePerson(ctx, accountId);
  if (before.role === role) return before;
  if (before.role === "owner") await requireSecondOwner(ctx.query, before.email);
  return singleRow(
    await change(ctx, updateRole, [accountId, role], ({ email }) => ({
      subject: email,
      detail: `${before.role} → ${role}`,
    })),
  );
}
