import { Command } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { withoutTokens } from "../keys/token.ts";
import { addAccountCommands } from "./accounts.ts";
import { addBackupCommands } from "./backup.ts";
import { addCompletionCommand } from "./completion/completion.ts";
import { addCopyCommand } from "./copy.ts";
import { addDoctorCommand } from "./doctor.ts";
import { addExamples } from "./examples.ts";
import { addHealthcheckCommand } from "./healthcheck.ts";
import { addKeyCommands } from "./keys.ts";
import { addMessageCommands } from "./messages.ts";
import { addMigrateCommand } from "./migrate.ts";
import { addServeCommand } from "./serve.ts";
import { addCategoryCommands } from "./shop/categories.ts";
import { addExportCommand } from "./shop/export.ts";
import { addImportCommand } from "./shop/import.ts";
import { addLoginCommands } from "./shop/login.ts";
import { addSendCommands } from "./shop/messages.ts";
import { addOrderCommands } from "./shop/orders.ts";
import { addPetCommands } from "./shop/pets.ts";

/** Every command of `petstore`; nothing has been run. */
export function createProgram(): Command {
  const program = new Command("petstore")
    .description("A pet store service: durable, authenticated, exact.")
    .version(packageJson.version)
    .exitOverride()
    .addHelpText("after", EXIT_CODES);
  addExamples(
    program,
    "petstore serve",
    "petstore login",
    "petstore pets add Fluffy --category 1",
    "petstore pets list",
  );

  program.commandsGroup("The service:");
  addServeCommand(program);
  addKeyCommands(program);
  addAccountCommands(program);
  addMigrateCommand(program);
  addCopyCommand(program);
  addBackupCommands(program);
  addDoctorCommand(program);
  addHealthcheckCommand(program);

  program.commandsGroup("The shop, over the network:");
  addLoginCommands(program);
  const pets = program.command("pets").description("list, add, change, import and export animals");
  addExamples(pets, "petstore pets list", "petstore pets add Fluffy --category 1");
  addPetCommands(pets);
  addImportCommand(pets);
  addExportCommand(pets);
  addOrderCommands(program);
  addCategoryCommands(program);
  addSendCommands(addMessageCommands(program));

  program.commandsGroup("This program:");
  addCompletionCommand(program);
  program.helpCommand(true);
  explainUsage(program);
  return program;
}

const EXIT_CODES = `
Exit codes: 0 done; 1 refused or failed; 2 wrong usage; 130 interrupted.
Results go to standard output, everything else to standard error. docs/command-line.md has it all.`;

/** A command that was typed wrong says so in one line, which ends with where its own help is. */
function explainUsage(command: Command, above = ""): void {
  const path = `${above}${command.name()}`;
  command.configureOutput({ outputError: (text, write) => write(`${oneLine(text)} See ${path} --help.\n`) });
  for (const one of command.commands) explainUsage(one, `${path} `);
}

/** What was typed in the wrong place may have been a key. */
function oneLine(usageError: string): string {
  const line = withoutTokens(usageError)
    .trim()
    .replace(/^error:/, "petstore:")
    .replaceAll(/\s*\n\s*/g, " ");
  return /[.?!)]$/.test(line) ? line : `${line}.`;
}
