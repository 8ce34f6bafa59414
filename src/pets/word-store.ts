import type { Int64 } from "exact-json/int64";
import { POSTINGS_MAX, WORD_CHARACTERS_KEPT, WORD_NAME_MAX } from "../limits.ts";
import type { Maybe } from "../platform/maybe.ts";
import type { Query } from "../storage/database.ts";
import { int64Column, numberColumn, textColumn } from "../storage/row.ts";
import { noRows, type SqlValue, type Statement, statement } from "../storage/statement.ts";
import { wordsOf } from "./words.ts";

/** An animal that may have a word. */
export type Posting = readonly [word: string, petId: number];

/** The word of names that are too long for their words to be kept: every search looks at them. */
const LONG_NAME = "";
/** Behind every word that begins with what stands before it; in the order of UTF-8, which both engines sort by. */
const LAST_CHARACTER = "\u{10FFFF}";

/** How far the words of animals are kept. */
export interface Indexed {
  /** Of the last animal that has them, and each one below. */
  readonly lastId: bigint;
  /** Of the last transaction that added some. */
  readonly step: bigint;
  /** Identifiers that have been given out since. */
  readonly waiting: number;
}

export const selectIndexed: Statement<[], Indexed> = statement(
  "SELECT last_id, step, (SELECT COALESCE(max(id), 0) FROM pet) - last_id AS waiting FROM pet_word_mark",
  (row) => ({
    lastId: BigInt(int64Column(row, "last_id")),
    step: BigInt(int64Column(row, "step")),
    waiting: Number(int64Column(row, "waiting")),
  }),
);

/** Yields nothing when another process has made a step since. */
export const makeStep: Statement<[step: bigint, lastId: bigint], bigint> = statement(
  "UPDATE pet_word_mark SET step = step + 1, last_id = $2 WHERE step = $1 RETURNING step",
  (row) => BigInt(int64Column(row, "step")),
);

/** Of names that are too long, the beginning shows that. */
export const selectNames: Statement<
  [above: bigint, upTo: bigint, limit: number],
  { id: number; name: string }
> = {
  sql: `SELECT id, substr(name, 1, ${WORD_NAME_MAX + 1}) AS name FROM pet WHERE id > $1 AND id <= $2
    ORDER BY id LIMIT CAST($3 AS BIGINT)`,
  decode: (row) => ({ id: numberColumn(row, "id"), name: textColumn(row, "name") }),
};

/** One more than are read, where there are more. */
export const selectPostings: Statement<readonly [from: string, below: string], number> = {
  sql: `SELECT pet_id FROM pet_word WHERE word >= $1 AND word < $2 ORDER BY word, pet_id LIMIT (${POSTINGS_MAX + 1})`,
  decode: (row) => numberColumn(row, "pet_id"),
};

const deletePosting: Statement<Posting, undefined> = statement(
  "DELETE FROM pet_word WHERE word = $1 AND pet_id = $2",
  noRows,
);

/** Rows in one statement; the last ones are padded, so that two statements serve all. */
const ROWS = [4, 100] as const;

const insertions = new Map(
  ROWS.map((rows): [number, Statement<readonly SqlValue[], undefined>] => {
    const places = Array.from({ length: rows }, (_, index) => `($${2 * index + 1}, $${2 * index + 2})`);
    const sql = `INSERT INTO pet_word (word, pet_id) VALUES ${places.join(", ")} ON CONFLICT DO NOTHING`;
    return [rows, { sql, decode: noRows }];
  }),
);

/** The words of a name as they are kept: cut, for an index has no room for long ones. */
export function keptWords(name: string): readonly string[] {
  if (name.length > WORD_NAME_MAX) return [LONG_NAME];
  return [...new Set(wordsOf(name).map(cut))];
}

const FIRST_CHARACTERS = new RegExp(`^.{0,${WORD_CHARACTERS_KEPT}}`, "u");

function cut(word: string): string {
  return FIRST_CHARACTERS.exec(word)?.[0] ?? "";
}

/** The bounds of what may begin with a word. */
export function rangeOf(word: string): readonly [from: string, below: string] {
  const beginning = cut(word);
  return [beginning, beginning + LAST_CHARACTER];
}

/** The bounds of names whose words are not kept. */
export const LONG_NAMES: readonly [from: string, below: string] = [LONG_NAME, "\u0001"];

export async function insertPostings(query: Query, postings: readonly Posting[]): Promise<void> {
  const inserted: Maybe<unknown>[] = [];
  for (let index = 0; index < postings.length; ) {
    const rows = ROWS.find((rows) => rows >= postings.length - index) ?? 100;
    const some = postings.slice(index, index + rows);
    const padded = [...some, ...new Array<Posting>(rows - some.length).fill(some[0] ?? ["", 0])];
    const insertion = insertions.get(rows);
    if (insertion !== undefined) inserted.push(query(insertion, padded.flat()));
    index += rows;
  }
  // One behind the other on their way to a server.
  await Promise.all(inserted);
}

/** What a rename, or without a new name a removal, changes in its own transaction. */
export async function replaceWords(
  query: Query,
  id: Int64,
  { before, after }: { readonly before: string; readonly after?: string },
): Promise<void> {
  const old = keptWords(before);
  const now = after === undefined ? [] : keptWords(after);
  for (const word of old) if (!now.includes(word)) await query(deletePosting, [word, Number(id)]);
  const added = now.filter((word) => !old.includes(word));
  await insertPostings(
    query,
    // Also above the mark: what is kept twice is kept once.
    added.map((word) => [word, Number(id)]),
  );
}
