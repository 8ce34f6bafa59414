import type { Command, Option } from "commander";

/** A command as a shell completes it. */
export interface CompletedCommand {
  /** As it is typed: `petstore keys create`. */
  readonly path: string;
  readonly subcommands: readonly Described[];
  readonly options: readonly CompletedOption[];
  /** What its argument may be: one of these words, or a file. */
  readonly argument: readonly string[] | "file" | undefined;
}

export interface Described {
  readonly name: string;
  readonly description: string;
}

export interface CompletedOption extends Described {
  /** What its value may be: one of these words, or anything, which may be a file; undefined where it takes none. */
  readonly value: readonly string[] | "anything" | undefined;
}

/** A command and all those below it. */
export function commandTree(command: Command, above = ""): readonly CompletedCommand[] {
  const path = `${above}${command.name()}`;
  const completed: CompletedCommand = {
    path,
    subcommands: command.commands.map((one) => ({ name: one.name(), description: one.description() })),
    options: [...command.options.map(completedOption), HELP],
    argument: argumentOf(command),
  };
  return [completed, ...command.commands.flatMap((one) => commandTree(one, `${path} `))];
}

const HELP: CompletedOption = { name: "--help", description: "display help for command", value: undefined };

function completedOption(option: Option): CompletedOption {
  return {
    name: option.long ?? option.flags,
    description: option.description,
    value: option.isBoolean() ? undefined : (option.argChoices ?? "anything"),
  };
}

function argumentOf({ registeredArguments: [argument] }: Command): CompletedCommand["argument"] {
  if (argument === undefined) return undefined;
  return argument.argChoices ?? (argument.name() === "file" ? "file" : undefined);
}
