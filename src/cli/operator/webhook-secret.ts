import type { Command } from "commander";
import { keptWebhookSecret } from "../../delivery/webhook-secret.ts";
import { systemRandomBytes } from "../../platform/random.ts";
import { openDatabase } from "../../storage/open.ts";
import { addExamples } from "../examples.ts";
import { print, printJson } from "../terminal/output.ts";
import { addSettings, configOf } from "./settings.ts";

/** `petstore messages webhook-secret` */
export function addMessageCommands(program: Command): Command {
  const messages = program
    .command("messages")
    .description("send messages, follow them, and see to the message service");
  addExamples(messages, 'petstore messages send "Hello, World!"', "petstore messages webhook-secret");
  const command = messages
    .command("webhook-secret")
    .description("print the secret that deliveries to the webhook are signed with")
    .option("--json", "print JSON");
  addExamples(command, "petstore messages webhook-secret");
  addSettings(command, ["dataDir", "databaseUrl", "webhookSecret"]).action(
    async (options: { json?: true }) => {
      const config = configOf({ ...options });
      const database = await openDatabase("messages", config);
      try {
        const secret = config.webhookSecret ?? (await keptWebhookSecret(database, systemRandomBytes));
        if (options.json) printJson({ secret });
        else print(secret);
      } finally {
        await database.close();
      }
    },
  );
  return messages;
}
