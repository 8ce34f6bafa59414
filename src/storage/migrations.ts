import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { DatabaseName } from "./store-files.ts";

/** One numbered step from one shape of the tables to the next. Once released, its text never changes. */
export interface Migration {
  /** Counts from 1 without gaps. */
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
  accounts: { 10: 9 },
  store: {},
  messages: {},
};

/** The executable embeds this folder under the same name (scripts/build/executable.ts). */
const FOLDER = join(import.meta.dir, "migrations");

/**
 * The steps of one kind of database in order: the files `0001-name.sql` of its folder, and of those it shares, such as
 * `store+messages`.
 *
 * @throws Error when a file has another name, or a number is left out or there twice
 */
export function findMigrations(engine: "sqlite" | "postgres", kind: string): readonly Migration[] {
  const paths = readdirSync(join(FOLDER, engine))
    .filter((folder) => folder.split("+").includes(kind))
    .flatMap((folder) => readdirSync(join(FOLDER, engine, folder)).map((file) => join(engine, folder, file)));
  return migrationsIn(paths, (path) => readFileSync(join(FOLDER, path), "utf8"), OLDEST_PROGRAM[kind]);
}

export function migrationsIn(
  paths: readonly string[],
  readText: (path: string) => string,
  oldestProgram: Readonly<Record<number, number>> = {},
): readonly Migration[] {
  const inOrder = paths.toSorted((one, other) => (basename(one) < basename(other) ? -1 : 1));
  return inOrder.map((path, index) => {
    const [, digits, name] = /^(\d{4})-(.+)\.sql$/.exec(basename(path)) ?? [];
    if (name === undefined || Number(digits) !== index + 1)
      throw new Error(`The migration ${basename(path)} stands where number ${index + 1} should.`);
    const number = index + 1;
    return { number, name, sql: readText(path), oldestProgram: oldestProgram[number] };
  });
}
