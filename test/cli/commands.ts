import { expect } from "bun:test";
import { CommanderError } from "commander";
import type { Command } from "../../src/cli/command.ts";
import { createProgram } from "../../src/cli/program.ts";

/** A command, and the words that call it. */
export interface Named {
  /** The words that call the command, such as `petstore keys create`. */
  readonly path: string;
  readonly command: Command;
}

/** Returns every command of a program, including the program itself. */
export function everyCommand(program: Command): readonly Named[] {
  const walk = (command: Command, above: string): Named[] => {
    const path = above + command.name();
    return [{ path, command }, ...command.commands.flatMap((one) => walk(one, `${path} `))];
  };
  return walk(program, "");
}

/**
 * Returns each call of `petstore` in a line of shell code. A call is the list of words after the name, up to the end of the
 * command.
 */
export function callsIn(line: string): readonly (readonly string[])[] {
  return [...line.matchAll(/(?:^|[\s(|"])petstore (.*?)(?=[|<>);&]|$)/g)].map(([, call = ""]) =>
    [...call.matchAll(/"([^"]*)"|'([^']*)'|([^\s"']+)/g)].map(
      ([, double, single, bare]) => double ?? single ?? bare ?? "",
    ),
  );
}

/** Parses these words without executing anything. Resolves to the full name of the command that they call. */
export const parse = (words: readonly string[]) => parseWith(words, () => {});

async function parseWith(words: readonly string[], writeErr: (text: string) => void): Promise<string> {
  const program = await createProgram();
  let called = "";
  for (const { path, command } of everyCommand(program)) {
    command.exitOverride().configureOutput({ writeErr, writeOut: () => {} });
    if (command.commands.length === 0)
      command.action(() => {
        called = path;
      });
  }
  await program.parseAsync([...words], { from: "user" });
  return called;
}

/** Resolves to what a command prints when its arguments are invalid. */
export async function refusalOf(words: readonly string[]): Promise<string> {
  let printed = "";
  const parsing = parseWith(words, (text) => {
    printed += text;
  });
  await expect(parsing).rejects.toBeInstanceOf(CommanderError);
  return printed;
}
