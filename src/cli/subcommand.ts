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
