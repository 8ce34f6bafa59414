import { Command as BaseCommand } from "commander";

/** Aliases of commands that people type out of habit. */
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

export class Command extends BaseCommand {
  declare readonly commands: readonly Command[];
  /** Command lines for the help's examples. A test runs them, and requires at least one for each command. */
  examples: readonly string[] = [];

  override createCommand(name = ""): Command {
    return new Command(name).aliases(ALIASES[name] ?? []);
  }

  addExamples(...lines: readonly string[]): this {
    this.examples = lines;
    const title = lines.length === 1 ? "Example:" : "Examples:";
    return this.addHelpText("after", ["", title, ...lines.map((line) => `  ${line}`)].join("\n"));
  }

  /** Refuses an option together with its negation; commander would take the later one. */
  refuseWithNegation(name: string): void {
    const given = new Set<string>();
    for (const option of [name, `no-${name}`]) {
      this.on(`option:${option}`, () => {
        if (given.add(option).size > 1)
          this.error(`error: option '--${name}' cannot be used with option '--no-${name}'`);
      });
    }
  }
}
