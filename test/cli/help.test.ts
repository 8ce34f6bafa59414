import { describe, expect, test } from "bun:test";
import { version } from "../../package.json";
import type { Command } from "../../src/cli/command.ts";
import { createProgram } from "../../src/cli/program.ts";
import { GUIDES } from "../../src/site/guides/guides.ts";
import { GUIDES_PATH } from "../../src/site/site.ts";
import { petstore } from "../wire/process.ts";
import { callsIn, everyCommand, parse } from "./commands.ts";

// The help of every command shows examples that work.

const NO_STORE = { dataDir: "/nonexistent", settings: {} };

for (const { path, command } of everyCommand(await createProgram())) {
  describe(path, () => {
    test("has a description and an example, and --help shows both", () => {
      const help = helpOf(command);
      expect(command.description()).not.toBe("");
      expect(command.examples).not.toEqual([]);
      for (const example of command.examples) expect(help).toContain(`\n  ${example}\n`);
    });

    for (const example of command.examples) {
      test(`is called by: ${example}`, async () => {
        const called = await Promise.all(callsIn(example).map(parse));
        expect(called.filter((one) => one.startsWith(path))).not.toEqual([]);
      });
    }
  });
}

test("petstore --help documents the exit codes", async () => {
  expect(helpOf(await createProgram())).toContain(
    "Exit codes: 0 done; 1 refused or failed; 2 wrong usage; 130 interrupted.",
  );
});

test("petstore --help and the help of every first word name the guides", async () => {
  const program = await createProgram();
  const origin = "http://localhost:8080";
  expect(helpOf(program)).toContain(`Guides: ${origin}${GUIDES_PATH}; reference: ${origin}/docs `);
  const named = program.commands.map((command) => {
    const [, guide = ""] = /\nGuide: (\S+)\n/.exec(helpOf(command)) ?? [];
    return [command.name(), guide] as const;
  });
  const addresses = GUIDES.map(({ name }) => `${origin}${GUIDES_PATH}/${name}`);
  expect(named.filter(([, guide]) => !addresses.includes(guide))).toEqual([]);
});

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
  });

  test.each([
    [["foo", "--help"], "petstore: unknown command 'foo'. See petstore --help.\n"],
    [["help", "foo"], "petstore: unknown command 'foo'. See petstore --help.\n"],
    [["pets", "foo", "--help"], "petstore: unknown command 'foo'. See petstore pets --help.\n"],
    [["pets", "help", "foo"], "petstore: unknown command 'foo'. See petstore pets --help.\n"],
  ])("%p is an unknown command", async (args, err) => {
    expect(await run(...args)).toEqual({ code: 2, out: "", err });
  });
});

function helpOf(command: Command): string {
  const written: string[] = [];
  command.configureOutput({ writeOut: (text) => void written.push(text) }).outputHelp();
  return written.join("");
}
