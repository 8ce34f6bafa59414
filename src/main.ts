import { Command, CommanderError } from "commander";
import packageJson from "../package.json" with { type: "json" };
import { addAccountCommands } from "./cli/accounts.ts";
import { addBackupCommands } from "./cli/backup.ts";
import { addCopyCommand } from "./cli/copy.ts";
import { addDoctorCommand } from "./cli/doctor.ts";
import { addHealthcheckCommand } from "./cli/healthcheck.ts";
import { addKeyCommands } from "./cli/keys.ts";
import { addMessageCommands } from "./cli/messages.ts";
import { addMigrateCommand } from "./cli/migrate.ts";
import { note } from "./cli/output.ts";
import { addServeCommand } from "./cli/serve.ts";
import { ConfigError } from "./config.ts";
import { ServiceError } from "./errors.ts";

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

// What we write is our owner's alone: databases, keys on their way through a pipe, everything.
process.umask(0o077);
// Whoever listened has gone; what we do is not done for them alone.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

const program = new Command("petstore")
  .description("A pet store service: durable, authenticated, exact.")
  .version(packageJson.version)
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(oneLine(text)) });
addServeCommand(program);
addKeyCommands(program);
addAccountCommands(program);
addMessageCommands(program);
addMigrateCommand(program);
addCopyCommand(program);
addBackupCommands(program);
addDoctorCommand(program);
addHealthcheckCommand(program);

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeFor(error);
}

function oneLine(usageError: string): string {
  return `${usageError
    .trim()
    .replace(/^error:/, "petstore:")
    .replaceAll(/\s*\n\s*/g, " ")} See petstore --help.\n`;
}

function exitCodeFor(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
  note(`petstore: ${error instanceof Error ? error.message : String(error)}`);
  const isUsage =
    error instanceof ConfigError || (error instanceof ServiceError && error.code === "invalid_body");
  return isUsage ? EXIT_USAGE : EXIT_FAILED;
}
