import { Command } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { withoutTokens } from "../keys/token.ts";
import { addCompletionCommand } from "./completion/completion.ts";
import { addDoctorCommand } from "./doctor/doctor.ts";
import { addExamples } from "./examples.ts";
import { addAccountCommands } from "./operator/accounts.ts";
import { addAuditCommand } from "./operator/audit.ts";
import { addBackupCommands } from "./operator/backup.ts";
import { addCopyCommand } from "./operator/copy.ts";
import { addHealthcheckCommand } from "./operator/healthcheck.ts";
import { addKeyCommands } from "./operator/keys.ts";
import { addMigrateCommand } from "./operator/migrate.ts";
import { addServeCommand } from "./operator/serve.ts";
import { addWebhookSecretCommand } from "./operator/webhook-secret.ts";
import { addCategoryCommands } from "./remote/categories.ts";
import { addExportCommand } from "./remote/export.ts";
import { addImportCommand } from "./remote/import.ts";
import { addLoginCommands } from "./remote/login.ts";
import { addMessageCommands } from "./remote/messages.ts";
import { addOrderCommands } from "./remote/orders.ts";
import { addPetCommands } from "./remote/pets.ts";

/** Every command of `petstore`. */
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

  program.commandsGroup("Service and operator commands:");
  addServeCommand(program);
  addKeyCommands(program);
  addAccountCommands(program);
  addAuditCommand(program);
  addMigrateCommand(program);
  addCopyCommand(program);
  addBackupCommands(program);
  addDoctorCommand(program);
  addHealthcheckCommand(program);

  program.commandsGroup("Remote store commands:");
  addLoginCommands(program);
  const pets = program.command("pets").description("list, add, change, import and export animals");
  addExamples(pets, "petstore pets list", "petstore pets add Fluffy --category 1");
  addPetCommands(pets);
  addImportCommand(pets);
  addExportCommand(pets);
  addOrderCommands(program);
  addCategoryCommands(program);
  const messages = program
    .command("messages")
    .description("send messages, show their state, and print the webhook secret");
  addExamples(messages, 'petstore messages send "Hello, World!"', "petstore messages webhook-secret");
  addMessageCommands(messages);
  addWebhookSecretCommand(messages);

  program.commandsGroup("Other commands:");
  addCompletionCommand(program);
  program.helpCommand(true);
  explainUsage(program);
  return program;
}

/** The words that people try first, as the ones that the program has. */
export function understood(words: readonly string[]): readonly string[] {
  const [first = "", ...rest] = words;
  if (first === "help") return [...rest, "--help"];
  return ["version", "-v"].includes(first) ? ["--version", ...rest] : words;
}

const EXIT_CODES = `
Exit codes: 0 done; 1 refused or failed; 2 wrong usage; 130 interrupted.
Results go to standard output, everything else to standard error. More: docs/command-line.md`;

/** A usage error is one line that names the help of the command. */
function explainUsage(command: Command, above = ""): void {
  const path = `${above}${command.name()}`;
  command.configureOutput({ outputError: (text, write) => write(`${oneLine(text)} See ${path} --help.\n`) });
  if (command.commands.length > 0) command.addHelpText("before", () => refuseUnknown(command));
  for (const one of command.commands) explainUsage(one, `${path} `);
}

/** Commander shows the help of the group for `petstore pets ad --help`. */
function refuseUnknown(group: Command): string {
  const word = group.args.find((one) => one !== "help" && !one.startsWith("-"));
  if (word === undefined || group.commands.some((one) => one.name() === word)) return "";
  return group.error(`error: unknown command '${word}'`);
}

/** Without API keys: a misplaced argument may be one. */
function oneLine(usageError: string): string {
  const line = withoutTokens(usageError)
    .trim()
    .replace(/^error:/, "petstore:")
    .replaceAll(/\s*\n\s*/g, " ");
  return /[.?!)]$/.test(line) ? line : `${line}.`;
}
