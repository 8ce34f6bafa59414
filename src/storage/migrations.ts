import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One numbered step from one shape of the tables to the next. Once released, its text never changes. */
export interface Migration {
  /** Counts from 1 without gaps. */
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}

/** The executable embeds this folder under the same name (scripts/build/executable.ts). */
const FOLDER = join(import.meta.dir, "migrations");

/**
 * The steps of one kind of database in order: the files `0001-name.sql` of its folder.
 *
 * @throws Error when a file has another name, or a number is left out or there twice
 */
export function findMigrations(engine: "sqlite" | "postgres", kind: string): readonly Migration[] {
  const folder = join(FOLDER, engine, kind);
  return migrationsIn(readdirSync(folder), (file) => readFileSync(join(folder, file), "utf8"));
}

export function migrationsIn(
  files: readonly string[],
  readText: (file: string) => string,
): readonly Migration[] {
  return files.toSorted().map((file, index) => {
    const [, digits, name] = /^(\d{4})-(.+)\.sql$/.exec(file) ?? [];
    if (name === undefined || Number(digits) !== index + 1)
      throw new Error(`The migration ${file} stands where number ${index + 1} should.`);
    return { number: index + 1, name, sql: readText(file) };
  });
}
