import { FAILED_SIGN_IN_RETENTION_MS, KNOWN_ADDRESS_MS, LOGIN_COUNT_RETENTION_MS } from "../limits.ts";
import type { Database } from "../storage/database.ts";
import { pruneFailedSignIns } from "./audit/store.ts";
import { pruneAttempts, pruneKnownAddresses } from "./sessions/login-throttle-store.ts";
import { pruneSessions } from "./sessions/session-store.ts";

/** Deletes ended sessions, expired counts of attempts, old failures, and addresses without a recent sign-in. */
export async function pruneAccounts(accounts: Database, now: number): Promise<void> {
  await accounts.write(async (query) => {
    await query(pruneSessions, [now]);
    await query(pruneAttempts, [now - LOGIN_COUNT_RETENTION_MS]);
    await query(pruneFailedSignIns, [now - FAILED_SIGN_IN_RETENTION_MS]);
    await query(pruneKnownAddresses, [now - KNOWN_ADDRESS_MS]);
  });
}
