import { systemClock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Context } from "../context.ts";
import { systemRandomBytes } from "../random.ts";
import type { Query } from "../storage/database.ts";
import { openDatabase } from "../storage/open.ts";

/**
 * Does an operator's work on the accounts, in one transaction, beside a server that may be running: the server sees
 * the change at its next request.
 */
export async function withAccounts<Result>(
  config: Config,
  work: (ctx: Context) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase("accounts", config);
  try {
    return await database.write((query) => work(operatorContext(query)));
  } finally {
    await database.close();
  }
}

function operatorContext(query: Query): Context {
  return { query, actor: { kind: "operator" }, now: systemClock.now(), randomBytes: systemRandomBytes };
}
