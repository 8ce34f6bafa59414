import { describe, expect, test } from "bun:test";
import { fileHead } from "../../src/cli/pet-files/write-pets.ts";
import { createProgram } from "../../src/cli/program.ts";
import { MEMBERS } from "../../src/pet-files/columns.ts";
import { callsOf, page } from "./command-line-page.ts";
import { everyCommand, parse } from "./commands.ts";

// docs/guides/command-line.md names every command, and each of its lines is parsed.

const commands = everyCommand(await createProgram());

describe("docs/guides/command-line.md", () => {
  for (const { path, command } of commands) {
    if (command.commands.length > 0) continue;
    test(`has a section for ${path}, with a line that calls it`, async () => {
      const section = page.split(`\n### ${path}\n`)[1]?.split("\n#")[0] ?? "";
      const called = await Promise.all(callsOf(section).map(parse));
      expect(called).toContain(path);
    });
  }

  test("names the columns of an exported file, and every column that an import reads", () => {
    expect(page).toContain(`\`${fileHead("csv").trim()}\``);
    for (const column of MEMBERS) expect(page).toContain(`\`${column}\``);
  });

  test("every line that calls petstore is understood", async () => {
    const calls = callsOf(page);
    expect(calls.length).toBeGreaterThan(50);
    for (const words of calls)
      expect([words, await parse(words)]).toEqual([words, expect.stringMatching(/^petstore /)]);
  });
});
