import { keptWebhookSecret } from "../../delivery/webhook.ts";
import { systemRandomBytes } from "../../platform/random.ts";
import { openDatabase } from "../../storage/open.ts";
import type { Command } from "../command.ts";
import { type JsonOption, print, printJson } from "../terminal/output.ts";
import { addSettings, configOf, STORE_SETTINGS } from "./settings.ts";

export function addWebhookSecretCommand(messages: Command): void {
  const command = messages
    .command("webhook-secret")
    .description("print the secret that signs deliveries to the webhook")
    .option("--json", "print JSON")
    .addExamples("petstore messages webhook-secret");
  addSettings(command, [...STORE_SETTINGS, "messagesWebhookSecret"]).action(async (options: JsonOption) => {
    const config = configOf(options);
    const database = await openDatabase("messages", config);
    try {
      const secret = config.messagesWebhookSecret ?? (await keptWebhookSecret(database, systemRandomBytes));
      if (options.json) printJson({ secret });
      else print(secret);
    } finally {
      await database.close();
    }
  });
}
