import { expect } from "bun:test";
import { CommanderError } from "commander";
import type { Command } from "../../src/cli/command.ts";
import { createProgram } from "../../src/cli/program.ts";

export interface Named {
  /** The words that call the command, such as `petstore keys create`. */
  readonly path: string;
  readonly command: Command;
}

/** Returns a command together with all its subcommands. */
export function everyCommand(program: Command): readonly Named[] {
  const walk = (command: Command, above: string): Named[] => {
    const path = above + command.name();
    return [{ path, command }, ...command.commands.flatMap((one) => walk(one, `${path} `))];
  };
  return walk(program, "");
}

/**
 * Finds the calls of `petstore` in a line of shell code. Returns the words of each call after `petstore`, up to the end of the
 * command.
 */
export function callsIn(line: string): readonly (readonly string[])[] {
  return [...line.matchAll(/(?:^|[\s(|"])petstore (.*?)(?=[|<>);&]|$)/g)].map(([, call = ""]) =>
    [...call.matchAll(/"([^"]*)"|'([^']*)'|([^\s"']+)/g)].map(
      ([, double, single, bare]) => double ?? single ?? bare ?? "",
    ),
  );
}

/** Parses the words of a command without executing it. Resolves to the full name of the command. */
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

/** Resolves to what a command prints if its arguments are invalid. */
export async function refusalOf(words: readonly string[]): Promise<string> {
  let printed = "";
  const parsing = parseWith(words, (text) => {
    printed += text;
  });
  await expect(parsing).rejects.toBeInstanceOf(CommanderError);
  return printed;
}
