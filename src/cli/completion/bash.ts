import { shellQuote } from "../terminal/shell-quote.ts";
import { type CompletedCommand, type CompletedValue, namesOf, valueOptions } from "./command-tree.ts";

/** Where files are expected, `-o default` completes their names. Works in bash 3.2 and later, which offers files everywhere. */
export function bashCompletion(commands: readonly CompletedCommand[]): string {
  const below = commands.slice(1).map(({ path }) => shellQuote(path));
  return `# Completion of petstore for bash. In ~/.bashrc: eval "$(petstore completion bash)"
_petstore() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]}
  local at=petstore position=0 words= others= files= index
  # --status=sold is three words.
  if [ "$current" = = ]; then current=
  elif [ "$previous" = = ]; then previous=\${COMP_WORDS[COMP_CWORD - 2]}; fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$at \${COMP_WORDS[index]}" in
      'petstore help') ;;
      ${below.join(" | \\\n      ")}) at="$at \${COMP_WORDS[index]}" position=0 ;;
${commands.flatMap(aliasCases).join("\n")}
      ${valueOptions(commands)
        .map((name) => `*' ${name}'`)
        .join(" | ")})
        [ "\${COMP_WORDS[index + 1]}" != = ] || index=$((index + 1))
        index=$((index + 1)) ;;
      *' -'*) ;;
      *) position=$((position + 1)) ;;
    esac
  done
  case "$at $previous" in
${commands.flatMap(valueCases).join("\n")}
    *)
      case "$current" in
        -*)
          case "$at" in
${commands.map(flagCase).join("\n")}
          esac ;;
        *)
          case "$at $position" in
${commands.flatMap(wordCases).join("\n")}
          esac ;;
      esac ;;
  esac
  [ -n "$files" ] || compopt +o default 2>/dev/null
  # Of types with commas between them, the last one is completed.
  COMPREPLY=($(compgen -P "\${current%"\${current##*,}"}" -W "$words" -- "\${current##*,}"))
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -W "$others" -- "$current"))
}
complete -o default -F _petstore petstore
`;
}

function aliasCases({ path, aliases }: CompletedCommand): readonly string[] {
  return aliases.length === 0
    ? []
    : [`      ${aliases.map(shellQuote).join(" | ")}) at=${shellQuote(path)} position=0 ;;`];
}

function valueCases({ path, options }: CompletedCommand): readonly string[] {
  return options.flatMap((option) => {
    if (option.value === undefined) return [];
    const names = namesOf(option).map((name) => shellQuote(`${path} ${name}`));
    return [`    ${names.join(" | ")}) ${offer(option.value)} ;;`];
  });
}

function offer(value: CompletedValue): string {
  if (value === "text") return "";
  return value === "file" ? "files=1" : `words=${shellQuote(value.join(" "))}`;
}

/** Options are completed only after a typed dash. */
function flagCase({ path, options }: CompletedCommand): string {
  return `            ${shellQuote(path)}) words=${shellQuote(options.map(({ name }) => name).join(" "))} ;;`;
}

function wordCases({
  path,
  subcommands,
  otherWords,
  arguments: values,
}: CompletedCommand): readonly string[] {
  const names = subcommands.map(({ name }) => name);
  const group = `words=${shellQuote(names.join(" "))} others=${shellQuote(otherWords.join(" "))}`;
  const offers = [...(names.length > 0 ? [group] : []), ...values.map(offer)];
  return offers.flatMap((one, position) =>
    one === "" ? [] : [`            ${shellQuote(`${path} ${position}`)}) ${one} ;;`],
  );
}
