import { describe, expect, test } from "bun:test";
import { createProgram } from "../../src/cli/program.ts";
import { SETTINGS } from "../../src/config/settings.ts";
import { MEMBERS } from "../../src/pet-files/columns.ts";
import { SAFE_NAME } from "../../src/pet-files/spreadsheet.ts";
import { CSV } from "../../src/pet-files/write-csv.ts";
import { callsOf, page, transcript } from "./command-line-page.ts";
import { everyCommand, parse } from "./commands.ts";

// docs/guides/command-line.md must list every option, transcript.md must call every command, and all of these lines must be valid.

const commands = everyCommand(await createProgram()).filter(({ command }) => command.commands.length === 0);

describe("docs/guides/command-line.md", () => {
  test("lists every command and option except settings, in a table or in the text", () => {
    const settings = new Set(Object.values(SETTINGS).map(({ flag }) => flag));
    for (const { path, command } of commands) {
      expect(page).toContain(`| \`${path.replace("petstore ", "")}`);
      const own = command.options.filter(({ flags }) => !settings.has(flags));
      expect([path, own.filter(({ long }) => !page.includes(`\`${long}`))]).toEqual([path, []]);
    }
  });

  test("names the columns of an exported file, and every column that an import reads", () => {
    expect(page).toContain(`\`${CSV.head.trim()}\``);
    for (const column of [...MEMBERS, SAFE_NAME]) expect(page).toContain(`\`${column}\``);
  });
});

describe("transcript.md", () => {
  for (const { path } of commands) {
    test(`has a section for ${path}, with a line that calls it`, async () => {
      const section = transcript.split(`\n## ${path}\n`)[1]?.split("\n## ")[0] ?? "";
      const called = await Promise.all(callsOf(section).map(parse));
      expect(called).toContain(path);
    });
  }
});

test("every line that calls petstore is understood", async () => {
  const calls = [page, transcript].flatMap(callsOf);
  expect(calls.length).toBeGreaterThan(60);
  for (const words of calls)
    expect([words, await parse(words)]).toEqual([words, expect.stringMatching(/^petstore /)]);
});
