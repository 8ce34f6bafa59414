import type { Command } from "commander";

/** Other words that people type for these. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  list: ["ls"],
  show: ["get"],
  add: ["create", "new"],
  create: ["add", "new"],
  place: ["create", "add", "new"],
  remove: ["rm", "delete"],
  cancel: ["rm", "delete"],
  revoke: ["rm", "delete"],
};

/** A command of a group, with its aliases. */
export function addSubcommand(group: Command, name: string): Command {
  return group.command(name).aliases(ALIASES[name] ?? []);
}

/** `remove|rm|delete <id>`: commander shows the first alias alone. */
export function subcommandTerm(command: Command): string {
  const names = [command.name(), ...command.aliases()].join("|");
  const words = command.registeredArguments.map((argument) => {
    const name = argument.name() + (argument.variadic ? "..." : "");
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [names, ...(command.options.length > 0 ? ["[options]"] : []), ...words].join(" ");
}

/** Refuses an option together with its negation, of which commander takes the later. */
export function refuseWithNegation(command: Command, name: string): void {
  const given = new Set<string>();
  for (const option of [name, `no-${name}`]) {
    command.on(`option:${option}`, () => {
      if (given.add(option).size > 1)
        command.error(`error: option '--${name}' cannot be used with option '--no-${name}'`);
    });
  }
}
