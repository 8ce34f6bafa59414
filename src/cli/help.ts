import { Help, type HelpConfiguration } from "commander";
import { readHelpWidth } from "../config/environment.ts";
import type { Command } from "./command.ts";

const FORMAT: HelpConfiguration = {
  minWidthToWrap: 20,
  // Hides the `help` subcommand, which commander adds to every group of commands.
  visibleCommands: ({ commands }) => [...commands],
  // Shows every alias, as in `remove|rm|delete <id...>`. commander shows only the first alias.
  subcommandTerm(command) {
    const names = [command.name(), ...command.aliases()].join("|");
    return `${names} ${command.usage().replaceAll(/\[(options|command)\] ?/g, "")}`.trim();
  },
  // A list of commands shows each description only up to its first semicolon.
  subcommandDescription: (command) => command.description().split("; ", 1)[0] ?? "",
  padWidth(command, help) {
    return Math.min(Help.prototype.padWidth(command, help), Math.floor((help.helpWidth ?? 80) / 3));
  },
  // If the name of a command or option is long, its description begins on the next line.
  formatItem(term, termWidth, description, help) {
    const formatted = (start: string) =>
      Help.prototype.formatItem.call(help, start, termWidth, description, help);
    return term.length <= termWidth ? formatted(term) : `  ${term}\n${formatted("")}`;
  },
};

/** Makes the help text as wide as the terminal, for the program and for every command that is added later. */
export function configureHelp(program: Command): void {
  program
    .usage("<command> [options]")
    .configureHelp(FORMAT)
    .configureOutput({ getOutHelpWidth: () => readHelpWidth(), getErrHelpWidth: () => readHelpWidth() });
}

/** The address of the guides on a local service that listens on the default port. */
const GUIDES = "http://localhost:8080/docs/guides";

/**
 * The guide that a command's help refers to, keyed by command. The help of all other commands refers to the guide about the command
 * line.
 */
const GUIDE_OF: Readonly<Record<string, string>> = {
  serve: "run",
  keys: "first-call",
  accounts: "first-hour",
  migrate: "operate",
  copy: "scale",
  backup: "operate",
  restore: "operate",
  doctor: "operate",
  events: "webhooks",
  listen: "webhooks",
  webhooks: "webhooks",
  mcp: "agents",
};

const EXAMPLE = "petstore pets add Fluffy --category 1";

const NOTES = `
Example: ${EXAMPLE}
Options of a command: petstore pets add --help. Version: petstore --version.
Commands use the API key in PETSTORE_KEY, or the key stored by petstore login.
Exit codes: 0 done; 1 refused or failed; 2 wrong usage; 130 interrupted.
Guides (while petstore runs on this machine): ${GUIDES}`;

/** Adds notes below the help text of the program and of every command and subcommand. */
export function addNotes(program: Command): void {
  program.examples = [EXAMPLE];
  // Hides the program's two options from commander's list, because the notes describe them in less space.
  program.configureHelp({ ...FORMAT, visibleOptions: () => [] });
  program.addParagraphs(NOTES);
  for (const command of program.commands) {
    const guide = GUIDE_OF[command.name()] ?? "command-line";
    command.addHelpText("afterAll", `\nGuide: ${GUIDES}/${guide}`);
  }
}
