import type { Database as Connection } from "bun:sqlite";
import { MigrationError } from "../migrate.ts";

/** @throws MigrationError, in one line for the operator, when it has tables of another program */
export function refuseForeign(connection: Connection, file: string): void {
  const tables = connection
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    )
    .all()
    .map(({ name }) => name);
  if (tables.length === 0 || tables.includes("migration")) return;
  throw new MigrationError(`${file} belongs to another program: it has a table ${tables[0]}.`);
}
