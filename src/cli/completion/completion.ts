import { Argument, type Command } from "commander";
import { addExamples } from "../examples.ts";
import { printPart } from "../terminal/output.ts";
import { bashCompletion } from "./bash.ts";
import { commandTree } from "./command-tree.ts";
import { fishCompletion } from "./fish.ts";
import { zshCompletion } from "./zsh.ts";

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

/** `petstore completion bash|zsh|fish` */
export function addCompletionCommand(program: Command): void {
  const command = program
    .command("completion")
    .description("print the completion script of a shell, for commands, options and values")
    .addArgument(new Argument("<shell>", "shell that reads the script").choices(Object.keys(SHELLS)))
    .action((shell: keyof typeof SHELLS) => printPart(SHELLS[shell](commandTree(program))));
  addExamples(
    command,
    'eval "$(petstore completion bash)"',
    "petstore completion zsh > ~/.zfunc/_petstore",
    "petstore completion fish | source",
  );
}
