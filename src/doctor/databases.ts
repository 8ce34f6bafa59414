import type { Config } from "../config.ts";
import { refuseUnknown } from "../storage/migrate.ts";
import { DATABASE_NAMES, type DatabaseName, migrationsOf, readJournal } from "../storage/open.ts";
import { messageOf } from "../thrown.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

/** Whether each database answers, and is one that this program can use. Nothing is changed. */
export function examineDatabases(config: Config): Promise<readonly Finding[]> {
  return Promise.all(DATABASE_NAMES.map((name) => examine(name, config)));
}

async function examine(name: DatabaseName, config: Config): Promise<Finding> {
  const check = `database ${name}`;
  try {
    const journal = await readJournal(name, config);
    const migrations = migrationsOf(name, config);
    refuseUnknown(journal, migrations, name);
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
    return fail(check, messageOf(error), advice);
  }
}
