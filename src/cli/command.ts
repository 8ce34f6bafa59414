import { Command as BaseCommand } from "commander";

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

export class Command extends BaseCommand {
  declare readonly commands: readonly Command[];
  /** A test runs them, and requires at least one per command. */
  examples: readonly string[] = [];

  /** A command below this one, with its aliases. */
  override createCommand(name = ""): Command {
    return new Command(name).aliases(ALIASES[name] ?? []);
  }

  /** Adds example lines to the help. */
  addExamples(...lines: readonly string[]): this {
    this.examples = lines;
    const title = lines.length === 1 ? "Example:" : "Examples:";
    return this.addHelpText("after", ["", title, ...lines.map((line) => `  ${line}`)].join("\n"));
  }

  /** Refuses an option together with its negation, of which commander takes the later. */
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
