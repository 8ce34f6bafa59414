import type { Database as Connection } from "bun:sqlite";
import { existsSync } from "node:fs";
import { type JournalEntry, type Migrator, selectJournal } from "../migrate.ts";
import { connect, createQuery } from "./connection.ts";
import type { Writer } from "./group-commit.ts";

/** SQLite keeps this text, spaces included, in every file: own-schema.ts compares it. */
export const CREATE_JOURNAL = `CREATE TABLE IF NOT EXISTS migration (
      number INTEGER PRIMARY KEY,
      name TEXT NOT NULL,
      applied_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
    ) STRICT`;

/** The migrations that a database file has had; none when there is no such file. */
export async function readSqliteJournal(file: string): Promise<readonly JournalEntry[]> {
  if (!existsSync(file)) return [];
  const connection = await connect(file);
  try {
    return await createQuery(connection)(selectJournal, []);
  } finally {
    connection.close();
  }
}

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
