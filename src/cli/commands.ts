import type { Command } from "commander";
import { addExamples } from "./examples.ts";

/** Commands that one import adds. */
interface CommandModule {
  /** The first words that call them. */
  readonly names: readonly string[];
  readonly add: (program: Command) => Promise<void>;
}

/** Every command by its heading in the help, in the order of the help. Each is imported when it is called or listed. */
const COMMANDS: Readonly<Record<string, readonly CommandModule[]>> = {
  "Service and operator commands:": [
    {
      names: ["serve"],
      add: async (program) => (await import("./operator/serve.ts")).addServeCommand(program),
    },
    {
      names: ["demo"],
      add: async (program) => (await import("./operator/demo.ts")).addDemoCommand(program),
    },
    {
      names: ["keys"],
      add: async (program) => (await import("./operator/keys.ts")).addKeyCommands(program),
    },
    {
      names: ["accounts"],
      add: async (program) => (await import("./operator/accounts.ts")).addAccountCommands(program),
    },
    {
      names: ["audit"],
      add: async (program) => (await import("./operator/audit.ts")).addAuditCommand(program),
    },
    {
      names: ["migrate"],
      add: async (program) => (await import("./operator/migrate.ts")).addMigrateCommand(program),
    },
    {
      names: ["copy"],
      add: async (program) => (await import("./operator/copy.ts")).addCopyCommand(program),
    },
    {
      names: ["backup", "restore"],
      add: async (program) => (await import("./operator/backup.ts")).addBackupCommands(program),
    },
    {
      names: ["doctor"],
      add: async (program) => (await import("./doctor/doctor.ts")).addDoctorCommand(program),
    },
    {
      names: ["healthcheck"],
      add: async (program) => (await import("./operator/healthcheck.ts")).addHealthcheckCommand(program),
    },
  ],
  "Remote store commands:": [
    {
      names: ["login", "logout"],
      add: async (program) => (await import("./remote/login.ts")).addLoginCommands(program),
    },
    {
      names: ["whoami"],
      add: async (program) => (await import("./remote/whoami.ts")).addWhoamiCommand(program),
    },
    {
      names: ["status"],
      add: async (program) => (await import("./remote/status.ts")).addStatusCommand(program),
    },
    {
      names: ["open"],
      add: async (program) => (await import("./remote/open.ts")).addOpenCommand(program),
    },
    { names: ["pets"], add: addPets },
    {
      names: ["orders"],
      add: async (program) => (await import("./remote/orders.ts")).addOrderCommands(program),
    },
    {
      names: ["categories"],
      add: async (program) => (await import("./remote/categories.ts")).addCategoryCommands(program),
    },
    {
      names: ["events"],
      add: async (program) => (await import("./remote/events.ts")).addEventCommand(program),
    },
    {
      names: ["listen"],
      add: async (program) => (await import("./remote/listen.ts")).addListenCommand(program),
    },
    {
      names: ["webhooks"],
      add: async (program) => (await import("./remote/webhooks.ts")).addWebhookCommands(program),
    },
    { names: ["messages"], add: addMessages },
    {
      names: ["mcp"],
      add: async (program) => (await import("./mcp/mcp.ts")).addMcpCommand(program),
    },
  ],
  "Other commands:": [
    {
      names: ["completion"],
      add: async (program) => (await import("./completion/completion.ts")).addCompletionCommand(program),
    },
  ],
};

/** Adds the command that `name` calls, or every command when it calls none. */
export async function addCommands(program: Command, name: string): Promise<void> {
  const called = Object.values(COMMANDS)
    .flat()
    .find(({ names }) => names.includes(name));
  if (called !== undefined) return called.add(program);
  for (const [heading, modules] of Object.entries(COMMANDS)) {
    program.commandsGroup(heading);
    for (const { add } of modules) await add(program);
  }
}

async function addPets(program: Command): Promise<void> {
  const { addPetCommands } = await import("./remote/pets.ts");
  const { addImportCommand } = await import("./remote/import.ts");
  const { addExportCommand } = await import("./remote/export.ts");
  const pets = program.command("pets").description("list, add, change, import and export animals");
  addExamples(pets, "petstore pets list", "petstore pets add Fluffy --category 1");
  addPetCommands(pets);
  addImportCommand(pets);
  addExportCommand(pets);
}

async function addMessages(program: Command): Promise<void> {
  const { addMessageCommands } = await import("./remote/messages.ts");
  const { addWebhookSecretCommand } = await import("./operator/webhook-secret.ts");
  const messages = program
    .command("messages")
    .description("send messages, show their state, and print the webhook secret");
  addExamples(messages, 'petstore messages send "Hello, World!"', "petstore messages webhook-secret");
  addMessageCommands(messages);
  addWebhookSecretCommand(messages);
}
