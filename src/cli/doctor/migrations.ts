import type { Migrated } from "../../storage/migrations.ts";
import { pluralize } from "../terminal/pluralize.ts";
import { type CheckResult, ok, warn } from "./check-result.ts";

/**
 * Checks the migrations of a database that can be opened. Warns if migrations are pending, or if a newer version of petstore has
 * applied further migrations.
 */
export function judgeMigrations(check: string, { applied, pending }: Migrated): CheckResult {
  if (applied === 0)
    return ok(check, "this database does not exist yet; the service creates it at the first start");
  if (pending < 0)
    return warn(
      check,
      "this database can be opened; a newer version of petstore has updated its tables, and both versions can run at the same time",
      "Finish the upgrade: run the newer version of petstore on every machine.",
    );
  if (pending === 0) return ok(check, "this database can be opened, and its tables are up to date");
  return warn(
    check,
    `this database can be opened; ${pluralize(pending, "migration is", "migrations are")} pending`,
    "The service applies these migrations when it next starts. Make a backup first: petstore backup FILE",
  );
}
