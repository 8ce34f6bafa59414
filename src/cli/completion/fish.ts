import type { CompletedCommand, CompletedOption } from "./command-tree.ts";

export function fishCompletion(commands: readonly CompletedCommand[]): string {
  const below = commands.slice(1).map(({ path }) => fishQuoted(path));
  return `# Completion of petstore for fish. In ~/.config/fish/config.fish: petstore completion fish | source
function __petstore_at
    set -l at petstore
    for word in (commandline -opc)[2..-1]
        if contains -- "$at $word" ${below.join(" ")}
            set at "$at $word"
        end
    end
    test "$at" = "$argv[1]"
end
complete -c petstore -f
${commands.flatMap(linesOf).join("\n")}
`;
}

function linesOf({ path, subcommands, options, argument }: CompletedCommand): readonly string[] {
  const here = `complete -c petstore -n ${fishQuoted(`__petstore_at ${fishQuoted(path)}`)}`;
  return [
    ...subcommands.map(({ name, description }) => `${here} -a ${name} -d ${fishQuoted(description)}`),
    ...options.map((option) => `${here} ${optionOf(option)}`),
    ...(typeof argument === "object" ? [`${here} -a ${fishQuoted(argument.join(" "))}`] : []),
    ...(argument === "file" ? [`${here} -F`] : []),
  ];
}

function optionOf({ name, description, value }: CompletedOption): string {
  const flag = `-l ${name.replace(/^--/, "")} -d ${fishQuoted(description)}`;
  if (value === undefined) return flag;
  return typeof value === "object" ? `${flag} -x -a ${fishQuoted(value.join(" "))}` : `${flag} -r -F`;
}

/** In single quotes, in which fish has two escapes. */
function fishQuoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
