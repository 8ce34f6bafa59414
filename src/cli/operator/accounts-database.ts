import { Argument, Option } from "commander";
import { asOperator } from "../../accounts/accounts.ts";
import type { AuditSources } from "../../accounts/audit/audit.ts";
import { normalizeEmail } from "../../accounts/email.ts";
import type { Config } from "../../config.ts";
import { type Context, ENVIRONMENTS } from "../../context.ts";
import { exists } from "../../platform/file-errors.ts";
import type { Query } from "../../storage/database.ts";
import { openDatabase } from "../../storage/open.ts";
import { type DatabaseName, fileOf } from "../../storage/store-files.ts";
import { printStatus } from "../terminal/output.ts";
import { configOf } from "./settings.ts";

type Work<Result> = (ctx: Context) => Promise<Result>;

/**
 * Runs `work` as the operator, in one transaction of the accounts database. The command's options determine the database. A
 * running service applies the change from the next request on.
 *
 * @throws Error if there is no store; this function creates none
 */
export async function withAccounts<Result>(options: object, work: Work<Result>): Promise<Result> {
  return writeAccounts(existing(options), work);
}

/** Runs `work` with every database that contains audit entries, except databases that do not exist yet. */
export async function withAuditSources<Result>(
  options: object,
  work: (sources: AuditSources) => Promise<Result>,
): Promise<Result> {
  const config = existing(options);
  const names = (["accounts", ...ENVIRONMENTS] as const).filter((name) => !isMissing(config, name));
  await using opened = new AsyncDisposableStack();
  const sources = new Map<DatabaseName, Query>();
  for (const name of names) {
    const database = await openDatabase(name, config);
    opened.defer(database.close);
    sources.set(name, database.read);
  }
  return await work(sources);
}

/** Returns the configuration of an existing store. @throws Error if the store does not exist */
function existing(options: object): Config {
  const config = configOf(options);
  if (!isMissing(config)) return config;
  throw new Error(
    `There is no store in ${config.dataDir}. Set --data-dir to the service's data folder, or start the service: petstore serve`,
  );
}

/** Runs `work` as the operator, in one transaction of the accounts database. Creates the store if it does not exist. */
export async function withAccountsOrNew<Result>(options: object, work: Work<Result>): Promise<Result> {
  return writeAccounts(configOf(options), work);
}

function isMissing({ dataDir, databaseUrl }: Config, name: DatabaseName = "accounts"): boolean {
  return databaseUrl === undefined && !exists(fileOf(name, dataDir));
}

async function writeAccounts<Result>(config: Config, work: Work<Result>): Promise<Result> {
  const isNew = isMissing(config);
  const database = await openDatabase("accounts", config);
  // A message says that the store is new, because a missing store usually means that the folder is wrong. A running service that
  // uses another folder does not accept keys from the new store.
  if (isNew)
    printStatus(
      `There was no store in ${config.dataDir}, so a new one was created. If your service uses another data folder, set --data-dir.`,
    );
  try {
    return await asOperator(database, work);
  } finally {
    await database.close();
  }
}

export function accountArgument(): Argument {
  return new Argument("<email>", "email address of the account").argParser(normalizeEmail);
}

export function accountOption(description: string): Option {
  return new Option("--account <email>", description).argParser(normalizeEmail);
}
