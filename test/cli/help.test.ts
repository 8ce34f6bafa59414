import { describe, expect, test } from "bun:test";
import type { Command } from "commander";
import { examplesOf } from "../../src/cli/examples.ts";
import { createProgram } from "../../src/cli/program.ts";
import { callsIn, everyCommand, parse } from "./commands.ts";

// The help of every command shows examples that work.

for (const { path, command } of everyCommand()) {
  describe(path, () => {
    test("has a description and an example, and --help shows both", () => {
      const help = helpOf(command);
      expect(command.description()).not.toBe("");
      expect(examplesOf(command)).not.toEqual([]);
      for (const example of examplesOf(command)) expect(help).toContain(`\n  ${example}\n`);
    });

    for (const example of examplesOf(command)) {
      test(`is called by: ${example}`, async () => {
        const called = await Promise.all(callsIn(example).map(parse));
        expect(called.filter((one) => one.startsWith(path))).not.toEqual([]);
      });
    }
  });
}

test("petstore --help documents the exit codes", () => {
  expect(helpOf(createProgram())).toContain(
    "Exit codes: 0 done; 1 refused or failed; 2 wrong usage; 130 interrupted.",
  );
});

function helpOf(command: Command): string {
  const written: string[] = [];
  command.configureOutput({ writeOut: (text) => void written.push(text) }).outputHelp();
  return written.join("");
}
