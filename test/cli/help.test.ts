import { afterAll, describe, expect, test } from "bun:test";
import { version } from "../../package.json";
import type { Command } from "../../src/cli/command.ts";
import { createProgram } from "../../src/cli/program.ts";
import { GUIDES } from "../../src/site/guides/guides.ts";
import { GUIDES_PATH } from "../../src/site/site.ts";
import { petstore } from "../wire/process.ts";
import { callsIn, everyCommand, parse } from "./commands.ts";

// The help of every command must show examples that work.

const NO_STORE = { dataDir: "/nonexistent", settings: {} };

for (const { path, command } of everyCommand(await createProgram())) {
  describe(path, () => {
    test("has a description and an example, and --help shows both", () => {
      const help = helpOf(command);
      expect(command.description()).not.toBe("");
      expect(command.examples).not.toEqual([]);
      for (const example of command.examples) expect(help).toMatch(lineOf(example));
    });

    for (const example of command.examples) {
      test(`is called by: ${example}`, async () => {
        const called = await Promise.all(callsIn(example).map(parse));
        expect(called.filter((one) => one.startsWith(path))).not.toEqual([]);
      });
    }
  });
}

test("petstore --help has at most 40 lines: one for each command, the common ones first, and the exit codes", async () => {
  const program = await createProgram();
  const help = helpOf(program);
  expect(help.trimEnd().split("\n").length).toBeLessThanOrEqual(40);
  expect(help).toMatch(/\nCommon commands:\n {2}serve .+\n {2}demo .+\n {2}keys .+\n {2}login .+\n/);
  for (const command of program.commands)
    expect(help).toMatch(RegExp(`^  ${command.name()}( .*)? {2}\\S.{9,}$`, "m"));
  expect(help).toContain("Exit codes: 0 done; 1 refused or failed; 2 wrong usage; 130 interrupted.");
});

test.each([60, 80, 120])(
  "every help text except its examples fits a terminal of %d columns",
  async (width) => {
    const lines = everyCommand(await createProgram()).flatMap(({ command }) => {
      const all = helpOf(command, width).split("\n");
      return all.filter((line) => !command.examples.some((one) => lineOf(one).test(line)));
    });
    const [longest = ""] = lines.sort((one, other) => other.length - one.length);
    expect(longest.length).toBeWithin(width - 5, width + 1);
  },
);

test("every example fits a terminal of 80 columns", async () => {
  const examples = everyCommand(await createProgram()).flatMap(({ command }) => command.examples);
  expect(examples.filter((example) => example.length > 78)).toEqual([]);
});

test("every help text names its guide", async () => {
  const program = await createProgram();
  const origin = "http://localhost:8080";
  expect(helpOf(program)).toContain(` ${origin}${GUIDES_PATH}\n`);
  const [, ...commands] = everyCommand(program);
  const named = commands.map(({ path, command }) => {
    const [, guide = ""] = /\nGuide: (\S+)\n/.exec(helpOf(command)) ?? [];
    return [path, guide] as const;
  });
  const addresses = GUIDES.map(({ name }) => `${origin}${GUIDES_PATH}/${name}`);
  expect(named.filter(([, guide]) => !addresses.includes(guide))).toEqual([]);
});

afterAll(() => delete process.env["COLUMNS"]);

describe("what people try first", () => {
  const run = async (...args: string[]) => petstore(NO_STORE, args);
  test.each([["version"], ["-v"], ["-V"], ["--version"]])("%s prints the version", async (word) => {
    expect(await run(word)).toEqual({ code: 0, out: `${version}\n`, err: "" });
  });

  test("help pets add is pets add --help", async () => {
    const { code, out } = await run("help", "pets", "add");
    expect([code, out.split("\n")[0]]).toEqual([0, "Usage: petstore pets add|create [options] <name>"]);
    expect(await run("pets", "add", "--help")).toEqual({ code, out, err: "" });
    expect(await run("pets", "help", "add")).toEqual({ code, out, err: "" });
    expect(await run("help")).toEqual(await run("--help"));
    expect(Math.max(...out.split("\n").map((line) => line.length))).toBeWithin(75, 81);
  });

  test.each([
    [["foo", "--help"], "petstore: unknown command 'foo'. See petstore --help.\n"],
    [["pets", "help", "foo"], "petstore: unknown command 'foo'. See petstore pets --help.\n"],
  ])("%p is an unknown command", async (args, err) => {
    expect(await run(...args)).toEqual({ code: 2, out: "", err });
  });
});

/** Returns a pattern for the line of a command's help that shows this example. */
function lineOf(example: string): RegExp {
  return RegExp(`^(  |Example: )${RegExp.escape(example)}$`, "m");
}

function helpOf(command: Command, width = 80): string {
  process.env["COLUMNS"] = String(width);
  const written: string[] = [];
  command.configureOutput({ writeOut: (text) => void written.push(text) }).outputHelp();
  return written.join("");
}
