import type { Argument, Option } from "commander";
import type { Command } from "../command.ts";
import { type Identified, identifiedBy } from "../identifies.ts";

/** A word that a shell offers, with what it shows beside it. */
export type Candidate = readonly [word: string, description?: string];

/** Stands alone where the shell completes the name of a file. */
export const FILE = ":file";

/** The command that is called, and its arguments before the word. */
export interface Position {
  readonly command: Command;
  readonly operands: readonly string[];
}

/** Finds what exists of a kind; it need not begin with what is typed. */
type Search = (kind: Identified, typed: string, position: Position) => Promise<readonly Candidate[]>;

/**
 * The candidates for the last of these words, which may be empty, from the tree of commands.
 *
 * @param program with the command that the words before it call, or with every command
 * @param words of the command line, behind `petstore`
 * @throws CommanderError where a word before the last is a mistake
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

/** The option of this flag, where it takes a value. */
function findOption({ options }: Command, flag: string | undefined): Option | undefined {
  return options.find(
    (option) => flag !== undefined && [option.short, option.long].includes(flag) && !option.isBoolean(),
  );
}

function optionsOf(command: Command): readonly Candidate[] {
  const options = command.createHelp().visibleOptions(command);
  return options.map(({ long, flags, description }) => [long ?? flags, description]);
}

/** Aliases are offered where no command begins with what is typed. */
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
  // A placeholder names the choices (`open|invite|closed`) where the values are checked elsewhere.
  const choices = value.argChoices ?? (name.includes("|") ? name.split("|") : undefined);
  const kind = identifiedBy(value);
  if (choices === undefined && kind === undefined) return /^(file|path|dir)$/.test(name) ? [[FILE]] : [];
  // Of several values with commas between them, the last one is completed.
  const head = /^(types|ids)$/.test(name) ? typed.slice(0, typed.lastIndexOf(",") + 1) : "";
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
