import { existsSync } from "node:fs";
import type { Config } from "../../config.ts";
import type { Context } from "../../context.ts";
import { systemClock } from "../../platform/clock.ts";
import { systemRandomBytes } from "../../platform/random.ts";
import type { Query } from "../../storage/database.ts";
import { fileOf, openDatabase } from "../../storage/open.ts";
import { printStatus } from "../terminal/output.ts";

/**
 * Does an operator's work on the accounts, in one transaction, beside a server that may be running: the server sees
 * the change at its next request.
 */
export async function withAccounts<Result>(
  config: Config,
  work: (ctx: Context) => Promise<Result>,
): Promise<Result> {
  const { dataDir, databaseUrl } = config;
  const isNew = databaseUrl === undefined && !existsSync(fileOf("accounts", dataDir));
  const database = await openDatabase("accounts", config);
  // Most likely a wrong folder: a key that is made here opens nothing where the service runs.
  if (isNew)
    printStatus(
      `There was no store in ${dataDir}; a new one was made. If the service keeps its data elsewhere, use --data-dir.`,
    );
  try {
    return await database.write((query) => work(operatorContext(query)));
  } finally {
    await database.close();
  }
}

function operatorContext(query: Query): Context {
  return { query, actor: { kind: "operator" }, now: systemClock.now(), randomBytes: systemRandomBytes };
}
