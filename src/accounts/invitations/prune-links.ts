import type { Database } from "../../storage/database.ts";
import { pruneInvitations, prunePasswordResets } from "./store.ts";

/** Deletes invitations and password-reset links that have expired. */
export async function pruneLinks(accounts: Database, now: number): Promise<void> {
  await accounts.write(async (query) => {
    await query(pruneInvitations, [now]);
    await query(prunePasswordResets, [now]);
  });
}
