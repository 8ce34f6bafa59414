import type { Context } from "../context.ts";
import { systemClock } from "../platform/clock.ts";
import { systemRandomBytes } from "../platform/random.ts";
import type { Database } from "../storage/database.ts";

/** Runs `work` as the local operator in one transaction of the accounts database. */
export function asOperator<Result>(
  accounts: Database,
  work: (ctx: Context) => Promise<Result>,
): Promise<Result> {
  const actor = { kind: "operator" } as const;
  return accounts.write((query) =>
    work({ query, actor, now: systemClock.now(), randomBytes: systemRandomBytes, requestId: "" }),
  );
}
