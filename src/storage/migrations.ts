import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseName } from "./store-files.ts";

/** One numbered step from one shape of the tables to the next. Once released, its text never changes. */
export interface Migration {
  /** Counts without gaps from the number of the baseline, which makes the tables. */
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  /** A program that knows the migrations up to this one may run beside it; undefined: only one that knows it itself. */
  readonly oldestProgram?: number | undefined;
}

/** The folder of the migrations of each database. */
export const KIND: Readonly<Record<DatabaseName, string>> = {
  accounts: "accounts",
  production: "store",
  staging: "store",
  messages: "messages",
};

/**
 * The oldest program that may run beside a migration: the last migration that it knows, by the migration's own number. Here
 * stand those that only add what an older program does not use; what an older program uses is taken away a release later
 * (docs/guides/upgrading.md). Not in the SQL files, whose text never changes.
 */
const OLDEST_PROGRAM: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  accounts: {},
  store: {},
  messages: {},
};

/** The executable embeds this folder under the same name (scripts/build/executable.ts). */
const FOLDER = join(import.meta.dir, "migrations");

/**
 * The steps of one kind of database in order: the files `0012-name.sql` of its folder, the baseline first.
 *
 * @throws Error when a file has another name, or a number is left out or there twice
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
      throw new Error(`The migration ${file} stands where number ${number} should.`);
    return { number, name, sql: readText(file), oldestProgram: oldestProgram[number] };
  });
}
