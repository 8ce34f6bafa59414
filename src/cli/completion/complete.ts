import type { Command } from "../command.ts";
import { escapeControls } from "../terminal/escape-controls.ts";
import { printPart } from "../terminal/output.ts";
import { candidatesFor } from "./candidates.ts";

/** Deadline of a shell completion, in milliseconds, after which it offers nothing. */
const DEADLINE_MS = 1_000;

/**
 * `petstore __complete -- WORDS...`, which the completion scripts call with the words after `petstore`. It prints the candidates
 * for the last word, one on each line, with a tab before the description. After a mistake or a fault it prints nothing.
 */
export function addCompleteCommand(program: Command, createProgram: CreateProgram): void {
  program
    .command("__complete")
    .argument("[words...]")
    .action((words: readonly string[]) => complete(words.map(unquoted), createProgram));
}

/** Creates the program with the command that the words call, or with every command. */
type CreateProgram = (words: readonly string[]) => Promise<Command>;

async function complete(words: readonly string[], createProgram: CreateProgram) {
  AbortSignal.timeout(DEADLINE_MS).addEventListener("abort", () => process.exit());
  try {
    const program = await createProgram(words.slice(0, -1));
    const candidates = await candidatesFor(program, words, async (kind, typed, position) =>
      kind === "key" || kind === "account"
        ? (await import("./in-store.ts")).searchStore(kind, position)
        : (await import("./in-service.ts")).searchService(kind, typed, position),
    );
    const lines = candidates
      .filter(([word]) => escapeControls(word) === word)
      .map(([word, description]) =>
        description === undefined ? `${word}\n` : `${word}\t${escapeControls(description)}\n`,
      );
    printPart(lines.join(""));
  } catch {}
}

/** Removes quotes and backslashes from a word, because shells pass it to the completion as it was typed. */
function unquoted(word: string): string {
  return word.replaceAll(/\\(.)|["']/gs, "$1");
}
