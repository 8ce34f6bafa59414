import { Command } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { withoutTokens } from "../keys/token.ts";
import { addCompletionCommand } from "./completion/completion.ts";
import { addDoctorCommand } from "./doctor/doctor.ts";
import { addExamples } from "./examples.ts";
import { addAccountCommands } from "./operator/accounts.ts";
import { addBackupCommands } from "./operator/backup.ts";
import { addCopyCommand } from "./operator/copy.ts";
import { addHealthcheckCommand } from "./operator/healthcheck.ts";
import { addKeyCommands } from "./operator/keys.ts";
import { addMigrateCommand } from "./operator/migrate.ts";
import { addServeCommand } from "./operator/serve.ts";
import { addMessageCommands } from "./operator/webhook-secret.ts";
import { addCategoryCommands } from "./remote/categories.ts";
import { addExportCommand } from "./remote/export.ts";
import { addImportCommand } from "./remote/import.ts";
import { addLoginCommands } from "./remote/login.ts";
import { addSendCommands } from "./remote/messages.ts";
import { addOrderCommands } from "./remote/orders.ts";
import { addPetCommands } from "./remote/pets.ts";

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
