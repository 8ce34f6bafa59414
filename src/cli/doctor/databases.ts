import type { Config } from "../../config.ts";
import { errorMessage } from "../../errors.ts";
import { refuseUnknownMigrations } from "../../storage/migrations/migrate.ts";
import { DATABASE_NAMES, type DatabaseName, migrationsOf, readJournal } from "../../storage/open.ts";
import { type CheckResult, fail, ok, warn } from "./check-result.ts";

/** Whether each database answers, and is one that this program can use. Nothing is changed. */
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
    if (journal.length === 0) return ok(check, "is not there yet; it is made at the first start");
    if (pending === 0) return ok(check, "answers, and its tables are up to date");
    return warn(
      check,
      `answers; ${pending} migrations are pending`,
      "They run at the next start. Take a backup first: petstore backup FILE.",
    );
  } catch (error) {
    const advice =
      config.databaseUrl === undefined
        ? "Start the program it belongs to, or move it away and restore a backup."
        : "Look whether the server runs, and whether the address, the user and the password are right.";
    return fail(check, errorMessage(error), advice);
  }
}
