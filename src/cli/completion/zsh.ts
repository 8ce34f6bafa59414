import { shellQuote } from "../terminal/shell-quote.ts";
import type { CompletedCommand, Described } from "./command-tree.ts";

export function zshCompletion(commands: readonly CompletedCommand[]): string {
  const below = commands.slice(1).map(({ path }) => shellQuote(path));
  return `#compdef petstore
# Completion of petstore for zsh. In ~/.zshrc, after compinit: eval "$(petstore completion zsh)"
_petstore() {
  local at=petstore
  integer index
  for ((index = 2; index < CURRENT; index++)); do
    case "$at \${words[index]}" in
      (${below.join(" | ")}) at="$at \${words[index]}" ;;
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${commands.flatMap(valueCases).join("\n")}
  esac
  local -a offered
  case "$at" in
${commands.map(wordCase).join("\n")}
  esac
}
if [[ "\${funcstack[1]}" == _petstore ]]; then _petstore "$@"; else compdef _petstore petstore; fi
`;
}

function valueCases({ path, options }: CompletedCommand): readonly string[] {
  return options
    .filter(({ value }) => value !== undefined)
    .map(({ name, value }) => {
      const offer = typeof value === "object" ? `compadd -- ${value.join(" ")}` : "_files";
      return `    (${shellQuote(`${path} ${name}`)}) ${offer}; return ;;`;
    });
}

function wordCase({ path, subcommands, options, argument }: CompletedCommand): string {
  const words =
    subcommands.length > 0
      ? `offered=(${described(subcommands)}); _describe command offered`
      : offered(argument);
  return `    (${shellQuote(path)})
      if [[ "$PREFIX" == -* ]]; then offered=(${described(options)}); _describe -o option offered
      else ${words}; fi ;;`;
}

function offered(argument: CompletedCommand["argument"]): string {
  if (typeof argument === "object") return `compadd -- ${argument.join(" ")}`;
  return argument === "file" ? "_files" : "_message 'no more completions'";
}

/** `name:description`, with every colon of the description escaped. */
function described(all: readonly Described[]): string {
  return all
    .map(({ name, description }) => shellQuote(`${name}:${description.replaceAll(":", "\\:")}`))
    .join(" ");
}
