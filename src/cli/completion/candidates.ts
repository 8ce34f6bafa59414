import { type Argument, Help, type Option } from "commander";
import type { Command } from "../command.ts";

export type Candidate = readonly [word: string, description?: string];

/** A candidate that tells the completion script to complete file names. It is never returned together with other candidates. */
const FILE = ":file";

/**
 * Finds the completion candidates for the last word of a command line. That word may be empty.
 *
 * @param program the program, with either every command or only the command that the words name
 * @param words the words of the command line after `petstore`
 * @throws CommanderError if an earlier word is wrong
 */
export function candidatesFor(program: Command, words: readonly string[]): readonly Candidate[] {
  const typed = words.at(-1) ?? "";
  const named = words.slice(words[0] === "help" ? 1 : 0, -1);
  const { command, rest } = findCommand(program, named);
  command.configureOutput({ writeErr() {}, writeOut() {} });
  const unfinished = findOption(command, rest.at(-1));
  const { operands } = command.parseOptions(rest.slice(0, unfinished ? -1 : undefined));
  if (unfinished !== undefined) return valuesOf(unfinished, typed);
  const [head = "", flag] = /^(--[^=]+)=/.exec(typed) ?? [];
  const option = findOption(command, flag);
  if (option !== undefined) return behind(head, valuesOf(option, typed.slice(head.length)));
  if (typed.startsWith("-")) return beginningWith(typed, optionsOf(command));
  if (command.commands.length > 0) return operands.length > 0 ? [] : subcommandsOf(command, typed);
  const { registeredArguments } = command;
  const last = registeredArguments.at(-1);
  const argument = registeredArguments[operands.length] ?? (last?.variadic ? last : undefined);
  return argument === undefined ? [] : valuesOf(argument, typed);
}

function findCommand(command: Command, words: string[]): { command: Command; rest: string[] } {
  const [word = "", ...rest] = words;
  const found = command.commands.find((one) => [one.name(), ...one.aliases()].includes(word));
  return found === undefined ? { command, rest: words } : findCommand(found, rest);
}

/** Finds a command's option by its flag. Returns undefined if there is no such option, or if the option takes no value. */
function findOption({ options }: Command, flag: string | undefined): Option | undefined {
  return options.find(
    ({ short, long, required, optional }) =>
      flag !== undefined && [short, long].includes(flag) && (required || optional),
  );
}

function optionsOf(command: Command): readonly Candidate[] {
  const options = new Help().visibleOptions(command);
  return options.map(({ long, flags, description }) => [long ?? flags, description]);
}

/**
 * Returns the completion candidates for the name of a subcommand. Aliases are offered only if no name begins with the typed text.
 */
function subcommandsOf({ commands }: Command, typed: string): readonly Candidate[] {
  const names = commands.map((one): Candidate => [one.name(), one.description()]);
  const found = beginningWith(typed, names);
  if (found.length > 0) return found;
  const aliases = new Set(commands.flatMap((one) => one.aliases()));
  return beginningWith(typed, [...aliases].map(asCandidate));
}

function valuesOf(value: Argument | Option, typed: string): readonly Candidate[] {
  const name = "flags" in value ? (/[<[](.+)[>\]]/.exec(value.flags)?.[1] ?? "") : value.name();
  // If an option declares no choices, its placeholder may list the values, as in `open|invite|closed`.
  const choices = value.argChoices ?? (name.includes("|") ? name.split("|") : undefined);
  if (choices === undefined) return /^(file|path|dir)$/.test(name) ? [[FILE]] : [];
  // In a comma-separated list, only the last value is completed.
  const head = /^(types|sets)$/.test(name) ? typed.slice(0, typed.lastIndexOf(",") + 1) : "";
  return behind(head, beginningWith(typed.slice(head.length), choices.map(asCandidate)));
}

const asCandidate = (word: string): Candidate => [word];

function behind(head: string, candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.map(([word, ...rest]) => [word === FILE ? word : head + word, ...rest]);
}

function beginningWith(typed: string, candidates: readonly Candidate[]): readonly Candidate[] {
  const start = typed.toLowerCase();
  return candidates.filter(([word]) => word.toLowerCase().startsWith(start));
}
