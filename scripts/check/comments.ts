// A comment must begin with a noun or a verb, because a comment that begins with a relative clause has to be read twice.
import type { SourceFile } from "./source.ts";

const BEGINNING = /(?:^|\s)(?:\/\/|\/\*\*?|\*|--) ((?:What|Who|Those|The same|One that)\b.*?)(?: \*\/)?$/gm;

/**
 * Comments that begin in another way, but may stay. They are part of the SQL of tables in existing stores, so they cannot be
 * changed without a migration.
 */
export const ACCEPTED: readonly string[] = [
  "What a list shows of a key: `pet_live_9ndK…NnlR`.",
  "What the device calls it: base64url.",
];

export function findCommentFaults(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(BEGINNING)]
      .map(([, comment = ""]) => comment)
      .filter((comment) => !ACCEPTED.includes(comment))
      .map((comment) => `${path}: "${comment}": begin with the noun or the verb.`),
  );
}
