/**
 * Problems of an index's values alone. A damaged structure is none of them, not even an index's: making that index anew
 * would free pages by what the damage says, another table's perhaps.
 */
const DIFFERING_INDEX =
  /(missing from|differ from|wrong # of entries in|end-of-record for row -?\d+ of) index \S+$|in an index$/;

/** The command, word by word, that mends all of a file's problems without loss; undefined where none does. */
export function remedyOf(file: string, problems: readonly string[]): readonly string[] | undefined {
  return problems.every((problem) => DIFFERING_INDEX.test(problem))
    ? ["sqlite3", file, "REINDEX"]
    : undefined;
}
