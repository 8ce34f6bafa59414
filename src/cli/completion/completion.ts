import { Argument } from "commander";
import type { Command } from "../command.ts";
import { printPart } from "../terminal/output.ts";

export function addCommands(program: Command): void {
  program
    .command("completion")
    .description(
      "print a completion script for your shell; the Tab key then completes commands, options and values",
    )
    .addArgument(new Argument("<shell>", "your shell").choices(Object.keys(SCRIPTS)))
    .action((shell: keyof typeof SCRIPTS) => printPart(SCRIPTS[shell]))
    .addExamples(
      'eval "$(petstore completion bash)"',
      "petstore completion zsh > ~/.zfunc/_petstore",
      "petstore completion fish | source",
    );
}

/**
 * Completion scripts, keyed by shell. A script runs `petstore __complete` with the words that the person has typed. This command
 * prints the candidates, which the script passes to the shell.
 */
export const SCRIPTS = {
  // bash 3.2 and later split words at `=`, `:` and `@`. A completion replaces only the part after the last of these characters;
  // bash passes this part as `$2`.
  bash: `# Completion of petstore for bash. In ~/.bashrc: eval "$(petstore completion bash)"
_petstore() {
  local word joint= words=()
  for word in "\${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
    if [[ $joint$word == [=:@]* ]]; then words[\${#words[@]}-1]+=$word; else words+=("$word"); fi
    if [[ $word == [=:@]* ]]; then joint==; else joint=; fi
  done
  local typed=\${words[\${#words[@]}-1]}
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    [ "$word" != :file ] || return 0
    COMPREPLY+=("\${word#"\${typed%"$2"}"}")
  done < <(command petstore __complete -- "\${words[@]:1}" 2>/dev/null)
  compopt +o default 2>/dev/null
}
complete -o default -F _petstore petstore
`,
  zsh: `#compdef petstore
# Completion of petstore for zsh. In ~/.zshrc, after compinit: eval "$(petstore completion zsh)"
_petstore() {
  local -a offered
  offered=(\${(f)"$(command petstore __complete -- "\${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)"})
  if [[ "$offered" == :file ]]; then compset -P '--*='; _files; return; fi
  compset -P '*[=,]'
  offered=("\${(@)offered#$IPREFIX}")
  offered=("\${(@)\${(@)\${(@)offered//\\\\/\\\\\\\\}//:/\\\\:}/$'\\t'/:}")
  _describe -V petstore offered
}
if [[ "\${funcstack[1]}" == _petstore ]]; then _petstore "$@"; else compdef _petstore petstore; fi
`,
  fish: `# Completion of petstore for fish. In ~/.config/fish/config.fish: petstore completion fish | source
function __petstore_offered
    set -l typed (commandline -ct)
    set -l offered (command petstore __complete -- (commandline -opc)[2..-1] "$typed" 2>/dev/null)
    if test "$offered" = :file
        set -l head (string match -r '^--[^=]*=' -- "$typed")
        set offered "$head"(__fish_complete_path (string replace -r '^--[^=]*=' '' -- "$typed"))
    end
    string join \\n -- $offered
end
complete -c petstore -f -k -a '(__petstore_offered)'
`,
} as const;
