import { type Argument, Help, type Option } from "commander";
import type { Command } from "../command.ts";
import { type Identified, identifiedBy } from "../identifies.ts";

export type Candidate = readonly [word: string, description?: string];

/** Candidate that tells the completion script to complete file names. It is always the only one. */
const FILE = ":file";

/** The command that is called, and its arguments before the word to complete. */
export interface Position {
  readonly command: Command;
  readonly operands: readonly string[];
}

/** Finds existing identifiers of a kind. They need not begin with the typed text. */
type Search = (kind: Identified, typed: string, position: Position) => Promise<readonly Candidate[]>;

/**
 * Finds the completion candidates for the last word, which may be empty.
 *
 * @param program the program with the command that the words call, or with every command
 * @param words words of the command line, after `petstore`
 * @throws CommanderError for a mistake in an earlier word
 */
export async function candidatesFor(
  program: Command,
  words: readonly string[],
  search: Search,
): Promise<readonly Candidate[]> {
  const typed = words.at(-1) ?? "";
  const named = words.slice(words[0] === "help" ? 1 : 0, -1);
  const { command, rest } = findCommand(program, named);
  command.configureOutput({ writeErr() {}, writeOut() {} });
  const unfinished = findOption(command, rest.at(-1));
  const { operands } = command.parseOptions(rest.slice(0, unfinished ? -1 : undefined));
  const position = { command, operands };
  if (unfinished !== undefined) return valuesOf(unfinished, typed, position, search);
  const [head = "", flag] = /^(--[^=]+)=/.exec(typed) ?? [];
  const option = findOption(command, flag);
  if (option !== undefined)
    return behind(head, await valuesOf(option, typed.slice(head.length), position, search));
  if (typed.startsWith("-")) return beginningWith(typed, optionsOf(command));
  if (command.commands.length > 0) return operands.length > 0 ? [] : subcommandsOf(command, typed);
  const { registeredArguments } = command;
  const last = registeredArguments.at(-1);
  const argument = registeredArguments[operands.length] ?? (last?.variadic ? last : undefined);
  return argument === undefined ? [] : valuesOf(argument, typed, position, search);
}

function findCommand(command: Command, words: string[]): { command: Command; rest: string[] } {
  const [word = "", ...rest] = words;
  const found = command.commands.find((one) => [one.name(), ...one.aliases()].includes(word));
  return found === undefined ? { command, rest: words } : findCommand(found, rest);
}

/** Finds a command's option by its flag; undefined if there is none, or it takes no value. */
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

/** Completion candidates for the name of a subcommand. Aliases are offered only if no name begins with the typed text. */
function subcommandsOf({ commands }: Command, typed: string): readonly Candidate[] {
  const names = commands.map((one): Candidate => [one.name(), one.description()]);
  const found = beginningWith(typed, names);
  if (found.length > 0) return found;
  const aliases = new Set(commands.flatMap((one) => one.aliases()));
  return beginningWith(typed, [...aliases].map(asCandidate));
}

async function valuesOf(
  value: Argument | Option,
  typed: string,
  position: Position,
  search: Search,
): Promise<readonly Candidate[]> {
  const name = "flags" in value ? (/[<[](.+)[>\]]/.exec(value.flags)?.[1] ?? "") : value.name();
  // If values are validated elsewhere, the placeholder lists them (`open|invite|closed`).
  const choices = value.argChoices ?? (name.includes("|") ? name.split("|") : undefined);
  const kind = identifiedBy(value);
  if (choices === undefined && kind === undefined) return /^(file|path|dir)$/.test(name) ? [[FILE]] : [];
  // The last of several comma-separated values is completed.
  const head = /^(types|sets|ids)$/.test(name) ? typed.slice(0, typed.lastIndexOf(",") + 1) : "";
  const text = typed.slice(head.length);
  const all = choices?.map(asCandidate) ?? (kind && (await search(kind, text, position))) ?? [];
  return behind(head, beginningWith(text, all));
}

const asCandidate = (word: string): Candidate => [word];

function behind(head: string, candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.map(([word, ...rest]) => [word === FILE ? word : head + word, ...rest]);
}

function beginningWith(typed: string, candidates: readonly Candidate[]): readonly Candidate[] {
  const start = typed.toLowerCase();
  return candidates.filter(([word]) => word.toLowerCase().startsWith(start));
}
