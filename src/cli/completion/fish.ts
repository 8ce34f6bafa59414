import {
  type CompletedCommand,
  type CompletedOption,
  type CompletedValue,
  valueOptions,
} from "./command-tree.ts";

export function fishCompletion(commands: readonly CompletedCommand[]): string {
  const below = commands.slice(1).map(({ path }) => fishQuoted(path));
  return `# Completion of petstore for fish. In ~/.config/fish/config.fish: petstore completion fish | source
function __petstore_at -d 'Whether a command is typed, and how many of its arguments'
    set -l at petstore
    set -l position 0
    set -l isValue 0
    for word in (commandline -opc)[2..-1]
        if test $isValue = 1
            set isValue 0
            continue
        end
        switch "$at $word"
            case 'petstore help'
            case ${below.join(" ")}
                set at "$at $word"
                set position 0
${commands.flatMap(aliasCases).join("\n")}
            case ${valueOptions(commands)
              .map((name) => `'* ${name}'`)
              .join(" ")}
                set isValue 1
            case '* -*'
            case '*'
                set position (math $position + 1)
        end
    end
    test "$at" = $argv[1]; and test "$position" = "$argv[2]" -o -z "$argv[2]"
end
function __petstore_other -d 'Whether no word of these begins with what is typed'
    set -l typed (commandline -ct)
    test -n "$typed"; and not string match -q -- "$typed*" $argv
end
function __petstore_listed -d 'These words, after those with a comma that are typed'
    set -l typed (string replace -r '[^,=]*$' '' -- (commandline -ct) | string replace -r '^-.*=' '')
    printf '%s\\n' "$typed"$argv
end
complete -c petstore -f
${commands.flatMap(linesOf).join("\n")}
`;
}

function aliasCases({ path, aliases }: CompletedCommand): readonly string[] {
  if (aliases.length === 0) return [];
  return [
    `            case ${aliases.map(fishQuoted).join(" ")}`,
    `                set at ${fishQuoted(path)}`,
    "                set position 0",
  ];
}

function linesOf({
  path,
  subcommands,
  otherWords,
  options,
  arguments: values,
}: CompletedCommand): readonly string[] {
  const line = (condition: string) => `complete -c petstore -n ${fishQuoted(condition)}`;
  const at = `__petstore_at ${fishQuoted(path)}`;
  const names = subcommands.map(({ name }) => name).join(" ");
  const first = subcommands.length > 0 ? 1 : 0;
  return [
    ...subcommands.map(
      ({ name, description }) => `${line(`${at} 0`)} -a ${name} -d ${fishQuoted(description)}`,
    ),
    ...(otherWords.length > 0
      ? [`${line(`${at} 0; and __petstore_other ${names}`)} -a ${fishQuoted(otherWords.join(" "))}`]
      : []),
    ...options.map((option) => `${line(at)} ${optionOf(option)}`),
    ...values.map((value, index) => `${line(`${at} ${index + first}`)} ${offer(value)}`),
  ];
}

function optionOf({ name, short, description, value }: CompletedOption): string {
  const flag = `-l ${name.replace(/^--/, "")}${short === undefined ? "" : ` -s ${short.slice(1)}`} -d ${fishQuoted(description)}`;
  return value === undefined ? flag : `${flag} -r ${offer(value)}`;
}

function offer(value: CompletedValue): string {
  if (value === "file") return "-F";
  return value === "text" ? "-f" : `-f -a ${fishQuoted(`(__petstore_listed ${value.join(" ")})`)}`;
}

/** In single quotes, in which fish has two escapes. */
function fishQuoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
