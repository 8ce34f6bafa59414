import type { Query } from "./database.ts";
import type { Migration } from "./migrations.ts";
import { numberColumn, optional, textColumn } from "./row.ts";
import { noRows, type Row, type Statement, statement } from "./statement.ts";

/** A database that this program cannot use; the message says why. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

/** The one connection that migrates, inside one transaction that is also the lock. */
export interface Migrator {
  readonly query: Query;
  /** Creates the journal of migrations, unless it is there: `number`, `name`, and when. */
  readonly createJournal: string;
  /**
   * Adds the column `oldest_program` to a journal that has none, for the first migration that names one: programs from before
   * the column take a store with it for another program's at each backup.
   */
  readonly extendJournal: string;
  begin(): void | Promise<void>;
  commit(): void | Promise<void>;
  rollback(): void | Promise<void>;
  /** Runs a text of several statements. */
  script(sql: string): void | Promise<void>;
}

/** One migration that a database has had. */
export type JournalEntry = Pick<Migration, "number" | "name" | "oldestProgram">;

/** Of a journal without the column `oldest_program`, too. */
export const selectJournal: Statement<[], JournalEntry> = statement(
  "SELECT * FROM migration ORDER BY number",
  (row) => ({
    number: numberColumn(row, "number"),
    name: textColumn(row, "name"),
    oldestProgram: hasOldestProgram(row) ? optional(row, "oldest_program", numberColumn) : undefined,
  }),
);

const selectExtended: Statement<[], boolean> = statement("SELECT * FROM migration LIMIT 1", hasOldestProgram);

function hasOldestProgram(row: Row): boolean {
  return "oldest_program" in row;
}

const insertJournal: Statement<[number: number, name: string], undefined> = statement(
  "INSERT INTO migration (number, name) VALUES ($1, $2)",
  noRows,
);

const updateJournal: Statement<[number: number, oldestProgram: number], undefined> = statement(
  "UPDATE migration SET oldest_program = $2 WHERE number = $1",
  noRows,
);

/**
 * Brings a database up to date in one transaction, which is also the lock: a second process waits, then finds
 * nothing to do.
 *
 * @param finish what else belongs to the same transaction
 * @throws MigrationError when the database has had migrations beside which this program may not run
 */
export async function migrate(
  migrator: Migrator,
  migrations: readonly Migration[],
  address: string,
  finish: (query: Query) => Promise<void> = async () => {},
): Promise<void> {
  await migrator.begin();
  try {
    await migrator.script(migrator.createJournal);
    const journal = await migrator.query(selectJournal, []);
    refuseUnknownMigrations(journal, migrations, address);
    let [isExtended = false] = await migrator.query(selectExtended, []);
    for (const { number, name, sql, oldestProgram } of migrations.slice(journal.length)) {
      await migrator.script(sql);
      await migrator.query(insertJournal, [number, name]);
      if (oldestProgram === undefined) continue;
      if (!isExtended) await migrator.script(migrator.extendJournal);
      isExtended = true;
      await migrator.query(updateJournal, [number, oldestProgram]);
    }
    await finish(migrator.query);
    await migrator.commit();
  } catch (error) {
    await migrator.rollback();
    throw error;
  }
}

/**
 * @throws MigrationError when the steps are not those of this program, or it knows only the first of them and one of the others
 *   needs a newer one
 */
export function refuseUnknownMigrations(
  journal: readonly JournalEntry[],
  migrations: readonly Migration[],
  address: string,
): void {
  for (const [index, { number, name, oldestProgram }] of journal.entries()) {
    const known = migrations[index];
    if (known?.number === number && known.name === name) continue;
    if (known === undefined && oldestProgram !== undefined && oldestProgram <= migrations.length) continue;
    throw new MigrationError(
      known === undefined
        ? `${address} was last used by a newer petstore (it has migration ${number}, ${name}). Start that version or a later one.`
        : `${address} has migration ${number}, ${name}, where this petstore has ${known.number}, ${known.name}. It belongs to another program.`,
    );
  }
}
