import type { Command, Option } from "commander";

/** A command with all that a shell can complete after it. */
export interface CompletedCommand {
  /** `petstore keys create` */
  readonly path: string;
  readonly subcommands: readonly Described[];
  readonly options: readonly CompletedOption[];
  /** The choices of its argument, or a file name. */
  readonly argument: readonly string[] | "file" | undefined;
}

export interface Described {
  readonly name: string;
  readonly description: string;
}

export interface CompletedOption extends Described {
  /** The choices of its value, or any text, for which files are offered; undefined for an option without a value. */
  readonly value: readonly string[] | "anything" | undefined;
}

/** The command and all its subcommands. */
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
