import type { Database as Connection } from "bun:sqlite";
import type { Migrator } from "../migrate.ts";
import type { Writer } from "./group-commit.ts";

/** SQLite keeps this text, spaces included, in every file: own-schema.ts compares it. */
export const CREATE_JOURNAL = `CREATE TABLE IF NOT EXISTS migration (
      number INTEGER PRIMARY KEY,
      name TEXT NOT NULL,
      oldest_program INTEGER,
      applied_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
    ) STRICT`;

export function createMigrator(connection: Connection, { query, begin, commit, rollback }: Writer): Migrator {
  return {
    createJournal: CREATE_JOURNAL,
    query,
    begin,
    commit,
    rollback,
    script: (sql) => void connection.exec(sql),
  };
}
