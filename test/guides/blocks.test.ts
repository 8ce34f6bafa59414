import { describe, expect, test } from "bun:test";
import { GUIDES } from "../../src/site/guides/guides.ts";
import { fencesIn, PROGRAMS_RUN_ELSEWHERE, PROJECT } from "../repository/documents.ts";

// Every code block in a guide must be run by a test, or contain only data, or have a comment above it that says why it is not run.

/**
 * The languages of code blocks that tests in test/repository/ run for all guides: commands (commands.test.ts), and transcripts and
 * programs (transcripts.long.test.ts).
 */
const RUN_EVERYWHERE: readonly string[] = ["sh", "console", "js"];
/** The languages of code blocks that contain only settings or responses. */
const DATA: readonly string[] = ["", "text", "json", "yaml", "ini", "toml"];

/** The number of code blocks that no test runs, keyed by guide. A comment above each of these blocks gives the reason. */
const NOT_RUN: Readonly<Record<string, number>> = {
  run: 4,
  operate: 2,
  scale: 12,
  "managed-database": 3,
};

const guides = await Promise.all(
  GUIDES.map(async (guide) => ({ ...guide, blocks: fencesIn(await Bun.file(PROJECT + guide.file).text()) })),
);

describe("the blocks of every guide", () => {
  for (const { name, file, blocks } of guides) {
    if (blocks.length === 0) continue;
    test(`in ${name} are run, are data, or say why they are not run`, () => {
      const programs = PROGRAMS_RUN_ELSEWHERE[file] ?? {};
      const isRun = (language: string) =>
        RUN_EVERYWHERE.includes(language) || language in programs || transcribed(blocks, language);
      const left = blocks.filter(
        ({ language, notRun }) => notRun === undefined && !DATA.includes(language) && !isRun(language),
      );
      expect(left).toEqual([]);
    });
  }

  test("that are not run are no more than listed here", () => {
    const counted = guides.map(({ name, blocks }) => [
      name,
      blocks.filter(({ notRun }) => notRun !== undefined).length,
    ]);
    expect(Object.fromEntries(counted.filter(([, count]) => count !== 0))).toEqual(NOT_RUN);
  });
});

/**
 * Returns true if a transcript on the same page runs the program in this code block by its file name. This applies only to Python.
 */
function transcribed(blocks: ReturnType<typeof fencesIn>, language: string): boolean {
  return (
    language === "python" &&
    blocks.some((block) => block.language === "console" && /^\$ python3 \S+\.py$/m.test(block.text))
  );
}
