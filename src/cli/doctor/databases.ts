import type { Config } from "../../config.ts";
import { errorMessage } from "../../errors.ts";
import type { Found } from "../../storage/identity/compare.ts";
import { examineStore } from "../../storage/identity/examine.ts";
import { type JournalEntry, MigrationError, refuseUnknownMigrations } from "../../storage/migrate.ts";
import { migrationsOf, readJournal } from "../../storage/open.ts";
import { DATABASE_NAMES, type DatabaseName } from "../../storage/store-files.ts";
import { pluralize } from "../terminal/pluralize.ts";
import { type CheckResult, fail, ok, warn } from "./check-result.ts";

/** Whether each database can be opened and used by this version. Changes nothing. */
export async function checkDatabases(config: Config): Promise<readonly CheckResult[]> {
  if (config.databaseUrl !== undefined)
    return Promise.all(DATABASE_NAMES.map((name) => checkDatabase(name, config)));
  const found = await examineStore(config.dataDir);
  return Promise.all(found.map((file) => checkFile(file, config)));
}

async function checkFile({ name, fault, isThere, contents }: Found, config: Config): Promise<CheckResult> {
  const check = `database ${name}`;
  if (fault?.kind === "avoidable") return fail(check, fault.message, "Nothing is lost.");
  if (fault !== undefined)
    return fail(
      check,
      fault.message,
      "Put the right file back, restore a backup (petstore restore FILE --replace), or go on without what is gone: petstore doctor --accept-loss",
    );
  if (isThere && contents === undefined) return checkDatabase(name, config);
  return judge(check, name, contents?.journal ?? [], config);
}

async function checkDatabase(name: DatabaseName, config: Config): Promise<CheckResult> {
  const check = `database ${name}`;
  try {
    const journal = await readJournal(name, config);
    refuseUnknownMigrations(journal, migrationsOf(name, config), name);
    return judge(check, name, journal, config);
  } catch (error) {
    if (error instanceof MigrationError) return fail(check, error.message, "Nothing is lost.");
    const advice =
      config.databaseUrl === undefined
        ? "Use the program that it belongs to, or move it away and restore a backup."
        : "Check that the server is running, and the address, user and password in PETSTORE_DATABASE_URL.";
    return fail(check, errorMessage(error), advice);
  }
}

function judge(
  check: string,
  name: DatabaseName,
  journal: readonly JournalEntry[],
  config: Config,
): CheckResult {
  const pending = migrationsOf(name, config).length - journal.length;
  if (journal.length === 0) return ok(check, "does not exist yet; the first start creates it");
  if (pending < 0)
    return warn(
      check,
      "can be opened; a newer petstore has migrated it, and this one may run beside that",
      "Finish the upgrade: start the newer version everywhere.",
    );
  if (pending === 0) return ok(check, "can be opened; its tables are up to date");
  return warn(
    check,
    `can be opened; ${pluralize(pending, "migration is", "migrations are")} pending`,
    "The next start applies them. Take a backup first: petstore backup FILE",
  );
}
