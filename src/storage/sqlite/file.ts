import type { Database as Connection } from "bun:sqlite";
import { statSync } from "node:fs";
import { INTEGRITY_CHECK_BYTES_MAX } from "../../limits.ts";
import { MigrationError } from "../migrate.ts";

// Checks of a database's file before anything in it is changed; the message is one line for the operator.

/** @throws MigrationError when it has tables of another program */
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

/** @throws Error when its pages contradict each other. Files above `INTEGRITY_CHECK_BYTES_MAX` are not checked. */
export function refuseDamaged(connection: Connection, file: string): void {
  if (statSync(file).size > INTEGRITY_CHECK_BYTES_MAX) return;
  const [found] = connection.query<{ quick_check: string }, []>("PRAGMA quick_check(1)").all();
  const damage = found?.quick_check.replace(/^\*\*\*.*\*\*\*\s*/, "").replaceAll(/\s+/g, " ");
  if (damage !== "ok")
    throw new Error(`${file} cannot be used: it is damaged (${damage}); restore a backup.`);
}
