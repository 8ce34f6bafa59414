import type { Config } from "../../config.ts";
import { errorMessage } from "../../errors.ts";
import { refuseUnknownMigrations } from "../../storage/migrate.ts";
import { migrationsOf, readJournal } from "../../storage/open.ts";
import { DATABASE_NAMES, type DatabaseName } from "../../storage/store-files.ts";
import { pluralize } from "../terminal/pluralize.ts";
import { type CheckResult, fail, ok, warn } from "./check-result.ts";

/** Whether each database can be opened and used by this version. Changes nothing. */
export function checkDatabases(config: Config): Promise<readonly CheckResult[]> {
  return Promise.all(DATABASE_NAMES.map((name) => checkDatabase(name, config)));
}

async function checkDatabase(name: DatabaseName, config: Config): Promise<CheckResult> {
  const check = `database ${name}`;
  try {
    const journal = await readJournal(name, config);
    const migrations = migrationsOf(name, config);
    refuseUnknownMigrations(journal, migrations, name);
    const pending = migrations.length - journal.length;
    if (journal.length === 0) return ok(check, "does not exist yet; the first start creates it");
    if (pending === 0) return ok(check, "can be opened; its tables are up to date");
    return warn(
      check,
      `can be opened; ${pluralize(pending, "migration is", "migrations are")} pending`,
      "The next start applies them. Take a backup first: petstore backup FILE",
    );
  } catch (error) {
    const advice =
      config.databaseUrl === undefined
        ? "Use the program that it belongs to, or move it away and restore a backup."
        : "Check that the server is running, and the address, user and password in PETSTORE_DATABASE_URL.";
    return fail(check, errorMessage(error), advice);
  }
}
