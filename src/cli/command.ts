import { Command as BaseCommand, type Option } from "commander";
import { readHelpWidth } from "../config/environment.ts";

/** Additional names of commands, keyed by the command's main name. People type these names out of habit. */
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

const REPEATABLE = new WeakSet<Option>();

/** Allows an option to be given more than once. The parser of the option must add each value to the previous values. */
export function repeatable(option: Option): Option {
  REPEATABLE.add(option);
  return option;
}

export class Command extends BaseCommand {
  declare readonly commands: readonly Command[];
  /** Command lines that the help shows as examples. A test runs every example, and fails if a command has no example. */
  examples: readonly string[] = [];

  override createCommand(name = ""): Command {
    return new Command(name).aliases(ALIASES[name] ?? []);
  }

  addExamples(...lines: readonly string[]): this {
    this.examples = lines;
    const title = lines.length === 1 ? "Example:" : "Examples:";
    return this.addHelpText("after", ["", title, ...lines.map((line) => `  ${line}`)].join("\n"));
  }

  /** Adds paragraphs below the help text. They are wrapped at the width of the help. */
  addParagraphs(text: string): this {
    return this.addHelpText("after", () => this.createHelp().boxWrap(text, readHelpWidth()));
  }

  /**
   * Adds an option. The command fails if the option is given twice, or together with its own negation. Without this check,
   * commander would silently use the later one.
   */
  override addOption(option: Option): this {
    this.on(`option:${option.name()}`, () => {
      const name = option.attributeName();
      if (option.isBoolean() || REPEATABLE.has(option) || this.getOptionValueSource(name) !== "cli") return;
      if (option.negate || this.getOptionValue(name) === false)
        this.error(`error: option '--${name}' cannot be used with option '--no-${name}'`);
      this.error(`error: ${option.long} is given twice`);
    });
    return super.addOption(option);
  }
}
