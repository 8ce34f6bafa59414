import { shellQuote } from "../terminal/shell-quote.ts";
import {
  type CompletedCommand,
  type CompletedValue,
  type Described,
  namesOf,
  valueOptions,
} from "./command-tree.ts";

export function zshCompletion(commands: readonly CompletedCommand[]): string {
  const below = commands.slice(1).map(({ path }) => shellQuote(path));
  return `#compdef petstore
# Completion of petstore for zsh. In ~/.zshrc, after compinit: eval "$(petstore completion zsh)"
_petstore() {
  local at=petstore previous=\${words[CURRENT-1]}
  local -a offered
  integer index position=0
  for ((index = 2; index < CURRENT; index++)); do
    case "$at \${words[index]}" in
      ('petstore help') ;;
      (${below.join(" | ")}) at="$at \${words[index]}"; position=0 ;;
${commands.flatMap(aliasCases).join("\n")}
      (${valueOptions(commands)
        .map((name) => `*' ${name}'`)
        .join(" | ")}) ((index++)) ;;
      (*' -'*) ;;
      (*) ((position += 1)) ;;
    esac
  done
  if [[ "$PREFIX" == --*=* ]]; then
    previous=\${PREFIX%%=*}
    compset -P '*='
  fi
  case "$at $previous" in
${commands.flatMap(valueCases).join("\n")}
  esac
  if [[ "$PREFIX" == -* ]]; then
    case "$at" in
${commands.map(flagCase).join("\n")}
    esac
    _describe -o option offered
    return
  fi
  case "$at $position" in
${commands.flatMap(wordCases).join("\n")}
    (*) _message 'no more completions' ;;
  esac
}
if [[ "\${funcstack[1]}" == _petstore ]]; then _petstore "$@"; else compdef _petstore petstore; fi
`;
}

function aliasCases({ path, aliases }: CompletedCommand): readonly string[] {
  return aliases.length === 0
    ? []
    : [`      (${aliases.map(shellQuote).join(" | ")}) at=${shellQuote(path)}; position=0 ;;`];
}

function valueCases({ path, options }: CompletedCommand): readonly string[] {
  return options.flatMap((option) => {
    if (option.value === undefined) return [];
    const names = namesOf(option).map((name) => shellQuote(`${path} ${name}`));
    return [`    (${names.join(" | ")}) ${offer(option.value, option.description)}; return ;;`];
  });
}

/** Of types with commas between them, the last one is completed. */
function offer(value: CompletedValue, description: string): string {
  if (value === "file") return "_files";
  return value === "text"
    ? `_message ${shellQuote(description)}`
    : `compset -P '*,'; compadd -- ${value.join(" ")}`;
}

function flagCase({ path, options }: CompletedCommand): string {
  return `      (${shellQuote(path)}) offered=(${described(options)}) ;;`;
}

function wordCases({
  path,
  subcommands,
  otherWords,
  arguments: values,
}: CompletedCommand): readonly string[] {
  const group = `offered=(${described(subcommands)}); _describe command offered || compadd -- ${otherWords.join(" ")}`;
  const offers = [
    ...(subcommands.length > 0 ? [group] : []),
    ...values.map((value) => offer(value, "argument")),
  ];
  return offers.map((one, position) => `    (${shellQuote(`${path} ${position}`)}) ${one} ;;`);
}

/** `name:description`, with every colon of the description escaped. */
function described(all: readonly Described[]): string {
  return all
    .map(({ name, description }) => shellQuote(`${name}:${description.replaceAll(":", "\\:")}`))
    .join(" ");
}
