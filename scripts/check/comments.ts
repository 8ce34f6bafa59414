// A comment begins with a noun or a verb: a relative clause in its place has to be read twice.
import type { SourceFile } from "./source.ts";

const BEGINNING = /(?:^|\s)(?:\/\/|\/\*\*?|\*|--) ((?:What|Who|Those|The same|One that)\b.*?)(?: \*\/)?$/gm;

/** At most 20: descriptions in the OpenAPI documents, which the client's types repeat, and two in tables that stores have. */
export const ACCEPTED: readonly string[] = [
  "What belongs in it.",
  "What belongs in it; `null` removes the description.",
  "What a list shows of a key: `pet_live_9ndK…NnlR`.",
  "What the device calls it: base64url.",
  "What deliveries are signed with (Standard Webhooks): `whsec_` and 32 bytes in base64. It is not shown again.",
  "What happened.",
  "What made the change.",
  "What staging has now.",
  "What staging starts over with.",
  "What the test clock is set to.",
  "What was changed, and how.",
  "Who made a change.",
];

export function findCommentFaults(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(BEGINNING)]
      .map(([, comment = ""]) => comment)
      .filter((comment) => !ACCEPTED.includes(comment))
      .map((comment) => `${path}: "${comment}": begin with the noun or the verb.`),
  );
}
