import { shellQuote } from "../terminal/shell-quote.ts";
import type { CompletedCommand } from "./command-tree.ts";

/** Without a match, `-o default` completes file names. Works in bash 3.2 and later. */
export function bashCompletion(commands: readonly CompletedCommand[]): string {
  const below = commands.slice(1).map(({ path }) => shellQuote(path));
  return `# Completion of petstore for bash. In ~/.bashrc: eval "$(petstore completion bash)"
_petstore() {
  local current=\${COMP_WORDS[COMP_CWORD]} at=petstore words= index
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$at \${COMP_WORDS[index]}" in
      ${below.join(" | \\\n      ")}) at="$at \${COMP_WORDS[index]}" ;;
    esac
  done
  case "$at \${COMP_WORDS[COMP_CWORD - 1]}" in
${commands.flatMap(valueCases).join("\n")}
    *)
      case "$at" in
${commands.map(wordCase).join("\n")}
      esac
      ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _petstore petstore
`;
}

/** The values of options that take one. */
function valueCases({ path, options }: CompletedCommand): readonly string[] {
  return options
    .filter(({ value }) => value !== undefined)
    .map(({ name, value }) => `    ${shellQuote(`${path} ${name}`)}) words=${shellQuote(listed(value))} ;;`);
}

/** Options are completed only after a typed dash. */
function wordCase({ path, subcommands, options, argument }: CompletedCommand): string {
  const words = [...subcommands.map(({ name }) => name), ...(typeof argument === "object" ? argument : [])];
  const flags = options.map(({ name }) => name);
  return `        ${shellQuote(path)}) case "$current" in -*) words=${shellQuote(flags.join(" "))} ;; *) words=${shellQuote(words.join(" "))} ;; esac ;;`;
}

function listed(value: readonly string[] | string | undefined): string {
  return typeof value === "object" ? value.join(" ") : "";
}
