import { Help, type HelpConfiguration } from "commander";
import { readHelpWidth } from "../config.ts";
import type { Command } from "./command.ts";

const FORMAT: HelpConfiguration = {
  minWidthToWrap: 20,
  // Hides the command `help`, which every group of commands has.
  visibleCommands: ({ commands }) => [...commands],
  // Shows every alias, as in `remove|rm|delete <id...>`. commander would show only the first one.
  subcommandTerm(command) {
    const names = [command.name(), ...command.aliases()].join("|");
    return `${names} ${command.usage().replaceAll(/\[(options|command)\] ?/g, "")}`.trim();
  },
  // A list of commands shows each description only up to its first semicolon.
  subcommandDescription: (command) => command.description().split("; ", 1)[0] ?? "",
  padWidth(command, help) {
    return Math.min(Help.prototype.padWidth(command, help), Math.floor((help.helpWidth ?? 80) / 3));
  },
  // If a term is long, its description begins on the next line.
  formatItem(term, termWidth, description, help) {
    const formatted = (start: string) =>
      Help.prototype.formatItem.call(help, start, termWidth, description, help);
    return term.length <= termWidth ? formatted(term) : `  ${term}\n${formatted("")}`;
  },
};

/** Makes the help of a program, and of the commands added to it later, as wide as the terminal. */
export function configureHelp(program: Command): void {
  program
    .usage("<command> [options]")
    .configureHelp(FORMAT)
    .configureOutput({ getOutHelpWidth: () => readHelpWidth(), getErrHelpWidth: () => readHelpWidth() });
}

/** Address of the guides, on a service at its default port. */
const GUIDES = "http://localhost:8080/docs/guides";

/** Guide that the help of a command names, keyed by command. By default it is the guide to the command line. */
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
Commands use the API key in PETSTORE_KEY, or the one stored by petstore login.
Exit codes: 0 done; 1 refused or failed; 2 wrong usage; 130 interrupted.
Guides, while the service runs here: ${GUIDES}`;

/** Adds the notes below the help of the program, and of each command with its subcommands. */
export function addNotes(program: Command): void {
  program.examples = [EXAMPLE];
  // The program's two options are described in the notes, which takes less space than commander's list.
  program.configureHelp({ ...FORMAT, visibleOptions: () => [] });
  program.addParagraphs(NOTES);
  for (const command of program.commands) {
    const guide = GUIDE_OF[command.name()] ?? "command-line";
    command.addHelpText("afterAll", `\nGuide: ${GUIDES}/${guide}`);
  }
}
