import type { Command } from "../command.ts";
import { printPart } from "../terminal/output.ts";
import { candidatesFor } from "./candidates.ts";

/**
 * Adds `petstore __complete -- WORDS...`. The completion scripts call it with the words after `petstore`, and it prints the
 * candidates for the last word, one on each line, with a tab before the description. If an earlier word is wrong, it prints
 * nothing.
 */
export function addCompleteCommand(program: Command, createProgram: CreateProgram): void {
  program
    .command("__complete")
    .argument("[words...]")
    .action((words: readonly string[]) => complete(words, createProgram));
}

/**
 * Creates the program. If the words name a command, the program contains only that command; otherwise, it contains every command.
 */
type CreateProgram = (words: readonly string[]) => Promise<Command>;

async function complete(words: readonly string[], createProgram: CreateProgram) {
  try {
    const candidates = candidatesFor(await createProgram(words.slice(0, -1)), words);
    printPart(candidates.map((candidate) => `${candidate.join("\t")}\n`).join(""));
  } catch {}
}
