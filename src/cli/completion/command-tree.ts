import type { Argument, Command, Option } from "commander";

/** A command with all that a shell can complete after it. */
export interface CompletedCommand {
  /** `petstore keys create` */
  readonly path: string;
  /** The same with other last words: `petstore keys add`. */
  readonly aliases: readonly string[];
  readonly subcommands: readonly Described[];
  /** Other words for the subcommands, which are offered where none of them fits. */
  readonly otherWords: readonly string[];
  readonly options: readonly CompletedOption[];
  readonly arguments: readonly CompletedValue[];
}

export interface Described {
  readonly name: string;
  readonly description: string;
}

/** The choices of a value, a file's name, or text that only the person knows. */
export type CompletedValue = readonly string[] | "file" | "text";

export interface CompletedOption extends Described {
  /** `-o` */
  readonly short: string | undefined;
  /** Undefined for an option without a value. */
  readonly value: CompletedValue | undefined;
}

/** The command and all its subcommands. */
export function commandTree(command: Command, above = ""): readonly CompletedCommand[] {
  const path = `${above}${command.name()}`;
  const completed: CompletedCommand = {
    path,
    aliases: command.aliases().map((alias) => `${above}${alias}`),
    subcommands: command.commands.map((one) => ({ name: one.name(), description: one.description() })),
    otherWords: [...new Set(command.commands.flatMap((one) => one.aliases()))],
    options: [...command.options.map(completedOption), HELP],
    arguments: command.registeredArguments.map(completedArgument),
  };
  return [completed, ...command.commands.flatMap((one) => commandTree(one, `${path} `))];
}

/** The names of all options that take a value, as each of them does in every command that has arguments. */
export function valueOptions(commands: readonly CompletedCommand[]): readonly string[] {
  const taking = commands.flatMap(({ options }) => options.filter(({ value }) => value !== undefined));
  return [...new Set(taking.flatMap(namesOf))];
}

export function namesOf({ name, short }: CompletedOption): readonly string[] {
  return short === undefined ? [name] : [name, short];
}

const HELP: CompletedOption = {
  name: "--help",
  short: "-h",
  description: "display help for command",
  value: undefined,
};

function completedOption(option: Option): CompletedOption {
  const [, placeholder = ""] = /[<[](.+)[>\]]/.exec(option.flags) ?? [];
  return {
    name: option.long ?? option.flags,
    short: option.short,
    description: option.description,
    value: option.isBoolean() ? undefined : completedValue(option.argChoices, placeholder),
  };
}

function completedArgument(argument: Argument): CompletedValue {
  return completedValue(argument.argChoices, argument.name());
}

/** A placeholder names the choices (`open|invite|closed`) where the values are checked elsewhere. */
function completedValue(choices: readonly string[] | undefined, placeholder: string): CompletedValue {
  if (choices !== undefined) return choices;
  if (placeholder.includes("|")) return placeholder.split("|");
  return /^(file|path|dir)$/.test(placeholder) ? "file" : "text";
}
