import type { Command } from "commander";

const EXAMPLES = new WeakMap<Command, readonly string[]>();

/** Adds example lines to a command's help. A test runs them, and requires at least one per command. */
export function addExamples(command: Command, ...lines: readonly string[]): Command {
  EXAMPLES.set(command, lines);
  const title = lines.length === 1 ? "Example:" : "Examples:";
  return command.addHelpText("after", ["", title, ...lines.map((line) => `  ${line}`)].join("\n"));
}

export function examplesOf(command: Command): readonly string[] {
  return EXAMPLES.get(command) ?? [];
}
