import { existsSync } from "node:fs";
import type { Context } from "../../context.ts";
import { systemClock } from "../../platform/clock.ts";
import { systemRandomBytes } from "../../platform/random.ts";
import { fileOf, openDatabase } from "../../storage/open.ts";
import { printStatus } from "../terminal/output.ts";
import { configOf } from "./settings.ts";

/**
 * Runs `work` as the operator in one transaction of the accounts database that the options of a command name. A running
 * service sees the change at its next request.
 */
export async function withAccounts<Result>(
  options: object,
  work: (ctx: Context) => Promise<Result>,
): Promise<Result> {
  const config = configOf(options);
  const { dataDir, databaseUrl } = config;
  const isNew = databaseUrl === undefined && !existsSync(fileOf("accounts", dataDir));
  const database = await openDatabase("accounts", config);
  // Most likely the wrong folder: the service does not accept a key from this store.
  if (isNew)
    printStatus(
      `There was no store in ${dataDir}, so a new one was created. If the service uses another data folder, set --data-dir.`,
    );
  try {
    const actor = { kind: "operator" } as const;
    return await database.write((query) =>
      work({ query, actor, now: systemClock.now(), randomBytes: systemRandomBytes }),
    );
  } finally {
    await database.close();
  }
}
