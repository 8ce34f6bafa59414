import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BUILT_FILES, inProject } from "../platform/executable.ts";
import type { Query } from "./database.ts";
import { members, numberColumn, optional, textColumn } from "./row.ts";
import { type Statement, statement } from "./statement.ts";
import type { DatabaseName } from "./store-files.ts";

/** A numbered change to the database's tables. Once a migration is released, its text never changes. */
export interface Migration {
  /** The migration's number. Numbers are consecutive. The first migration is the baseline, which creates the tables. */
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  /**
   * The number of an earlier migration. After this migration, a program can still use the store if it knows all migrations up to
   * that number. If undefined, it must know this migration itself.
   */
  readonly oldestProgram?: number | undefined;
}

export const KIND: Readonly<Record<DatabaseName, string>> = {
  accounts: "accounts",
  production: "store",
  staging: "store",
  messages: "messages",
};

/**
 * The values of `Migration.oldestProgram`, keyed by kind of database and by the migration's number. A migration is listed here only
 * if it adds columns or tables that older programs can do without. A column or table that an older program still uses is removed
 * one release later (docs/guides/operate.md). The values cannot be in the SQL files, because a released SQL file never changes.
 */
const OLDEST_PROGRAM: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  accounts: {},
  store: {},
  messages: {},
};

/** The folder that contains the migrations. It has the same name in the executable and in the npm package. */
const FOLDER = join(BUILT_FILES ?? inProject("src/storage"), "migrations");

/**
 * Reads the migrations for one kind of database, in their order. They are the files in its folder, with names like `0012-name.sql`.
 * The first one is the baseline.
 *
 * @throws Error if a file's name has a different form, or if a number is missing or used twice
 */
export function findMigrations(engine: "sqlite" | "postgres", kind: string): readonly Migration[] {
  const folder = join(FOLDER, engine, kind);
  return migrationsIn(
    readdirSync(folder),
    (file) => readFileSync(join(folder, file), "utf8"),
    OLDEST_PROGRAM[kind],
  );
}

export function migrationsIn(
  files: readonly string[],
  readText: (file: string) => string,
  oldestProgram: Readonly<Record<number, number>> = {},
): readonly Migration[] {
  const inOrder = files.toSorted();
  const baseline = Number.parseInt(inOrder[0] ?? "", 10);
  return inOrder.map((file, index) => {
    const [, digits, name] = /^(\d{4})-(.+)\.sql$/.exec(file) ?? [];
    const number = baseline + index;
    if (name === undefined || Number(digits) !== number)
      throw new Error(`The migration ${file} should have the number ${number}.`);
    return { number, name, sql: readText(file), oldestProgram: oldestProgram[number] };
  });
}

/** Thrown for a database that this program cannot use. The message gives the reason. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

/** Thrown if a newer or an earlier version of petstore can use the database, but this version cannot. */
export class OtherVersionError extends MigrationError {}

/** A connection that migrates a database in one transaction. No other process can migrate the database during this transaction. */
export interface Migrator {
  readonly query: Query;
  /**
   * SQL that creates the journal of migrations, unless it exists. The journal has the columns `number`, `name`, `oldest_program`,
   * and a time.
   */
  readonly createJournal: string;
  begin(): void | Promise<void>;
  commit(): void | Promise<void>;
  rollback(): void | Promise<void>;
  script(sql: string): void | Promise<void>;
}

export type JournalEntry = Pick<Migration, "number" | "name" | "oldestProgram">;

const oldestProgram = optional(numberColumn)("oldest_program");

/**
 * Selects the migrations that have been applied. `SELECT *` also works for the journal of an earlier petstore, which has fewer
 * columns. Such a database is refused later, but first its journal must be read.
 */
export const selectJournal: Statement<[], JournalEntry> = statement(
  "SELECT * FROM migration ORDER BY number",
  members({
    number: numberColumn,
    name: textColumn,
    oldestProgram: () => (row) => ("oldest_program" in row ? oldestProgram(row) : undefined),
  }),
);

const insertJournal: Statement<{ number: number; name: string; oldestProgram: number | null }> = statement(
  "INSERT INTO migration (number, name, oldest_program) VALUES ($number, $name, $oldestProgram)",
);

/**
 * Migrates a database in one transaction. If two processes do this at the same time, one of them waits, and then finds nothing left
 * to do.
 *
 * @param finish other work to do in the same transaction
 * @throws MigrationError if the database has a migration that makes it unusable for this program
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
    for (const { number, name, sql, oldestProgram } of migrations.slice(journal.length)) {
      await migrator.script(sql);
      await migrator.query(insertJournal, { number, name, oldestProgram: oldestProgram ?? null });
    }
    await finish(migrator.query);
    await migrator.commit();
  } catch (error) {
    await migrator.rollback();
    throw error;
  }
}

/**
 * The number of migrations that have been applied to a database, and the number that have not. `pending` is negative if a newer
 * program has migrated the database.
 */
export interface Migrated {
  readonly applied: number;
  readonly pending: number;
}

/** Counts applied and pending migrations. @throws MigrationError in the same cases as `refuseUnknownMigrations` */
export function countMigrations(
  journal: readonly JournalEntry[],
  migrations: readonly Migration[],
  address: string,
): Migrated {
  refuseUnknownMigrations(journal, migrations, address);
  return { applied: journal.length, pending: migrations.length - journal.length };
}

/**
 * Throws an error if a database has a different baseline, or a migration that this program does not know and cannot work with.
 *
 * @throws MigrationError
 */
export function refuseUnknownMigrations(
  journal: readonly JournalEntry[],
  migrations: readonly Migration[],
  address: string,
): void {
  const newest = migrations.at(-1)?.number ?? 0;
  for (const [index, { number, name, oldestProgram }] of journal.entries()) {
    const known = migrations[index];
    if (known?.number === number && known.name === name) continue;
    if (known === undefined && oldestProgram !== undefined && oldestProgram <= newest) continue;
    if (known === undefined || number > known.number)
      throw new OtherVersionError(
        `${address} was last used by a newer version of petstore, which applied migration ${number}, ${name}. Use that newer version, or a later one.`,
      );
    if (number < known.number)
      throw new OtherVersionError(
        `${address} was made by an earlier version of petstore, which applied migration ${number}, ${name}. It was not changed. You can move its animals and categories to a new store, but not its orders, accounts and keys, nor the animals' identifiers. The commands are in docs/guides/operate, in the section "Before 1.0.0".`,
      );
    throw new MigrationError(
      `${address} has a migration ${number} called ${name}, but petstore calls its migration ${number} ${known.name}. This schema or database belongs to another program.`,
    );
  }
}
