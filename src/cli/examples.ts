import type { Command } from "commander";

const EXAMPLES = new WeakMap<Command, readonly string[]>();

/** Puts lines that work when they are pasted under a command's help; a test holds that every command has some. */
export function addExamples(command: Command, ...lines: readonly string[]): Command {
  EXAMPLES.set(command, lines);
  const title = lines.length === 1 ? "Example:" : "Examples:";
  return command.addHelpText("after", ["", title, ...lines.map((line) => `  ${line}`)].join("\n"));
}

export function examplesOf(command: Command): readonly string[] {
  return EXAMPLES.get(command) ?? [];
}
