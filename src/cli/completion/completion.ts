import { Argument, type Command } from "commander";
import { addExamples } from "../examples.ts";
import { printPart } from "../terminal/output.ts";
import { SCRIPTS } from "./scripts.ts";

/** `petstore completion bash|zsh|fish` */
export function addCompletionCommand(program: Command): void {
  const command = program
    .command("completion")
    .description("print the completion script of a shell, for commands, options and values")
    .addArgument(new Argument("<shell>", "shell that reads the script").choices(Object.keys(SCRIPTS)))
    .action((shell: keyof typeof SCRIPTS) => printPart(SCRIPTS[shell]));
  addExamples(
    command,
    'eval "$(petstore completion bash)"',
    "petstore completion zsh > ~/.zfunc/_petstore",
    "petstore completion fish | source",
  );
}
