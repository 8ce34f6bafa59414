import { existsSync } from "node:fs";
import { asOperator } from "../../accounts/as-operator.ts";
import type { Config } from "../../config.ts";
import type { Context } from "../../context.ts";
import { openDatabase } from "../../storage/open.ts";
import { fileOf } from "../../storage/store-files.ts";
import { printStatus } from "../terminal/output.ts";
import { configOf } from "./settings.ts";

type Work<Result> = (ctx: Context) => Promise<Result>;

/**
 * Runs `work` as the operator in one transaction of the accounts database that the options of a command name. A running
 * service sees the change at its next request.
 *
 * @throws Error when there is no store: nothing is created
 */
export async function withAccounts<Result>(options: object, work: Work<Result>): Promise<Result> {
  const config = configOf(options);
  if (isMissing(config))
    throw new Error(
      `There is no store in ${config.dataDir}. Set --data-dir to the service's data folder, or start the service: petstore serve`,
    );
  return writeAccounts(config, work);
}

/** The same, on a new store when there is none. */
export async function withAccountsOrNew<Result>(options: object, work: Work<Result>): Promise<Result> {
  return writeAccounts(configOf(options), work);
}

function isMissing({ dataDir, databaseUrl }: Config): boolean {
  return databaseUrl === undefined && !existsSync(fileOf("accounts", dataDir));
}

async function writeAccounts<Result>(config: Config, work: Work<Result>): Promise<Result> {
  const isNew = isMissing(config);
  const database = await openDatabase("accounts", config);
  // Most likely the wrong folder: the service does not accept a key from this store.
  if (isNew)
    printStatus(
      `There was no store in ${config.dataDir}, so a new one was created. If the service uses another data folder, set --data-dir.`,
    );
  try {
    return await asOperator(database, work);
  } finally {
    await database.close();
  }
}
