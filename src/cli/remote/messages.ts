import type { Message } from "../../../client/src/client.ts";
import type { Command } from "../command.ts";
import { addWebhookSecretCommand } from "../operator/webhook-secret.ts";
import type { TableFormat } from "../terminal/output-formats.ts";
import { addPrintedOptions, type RemoteOptions } from "./connection.ts";
import { printItem } from "./print-resources.ts";

const format: TableFormat<Message> = {
  plural: "messages",
  headings: { id: "ID", status: "STATUS", createdAt: "SENT", message: "MESSAGE" },
  cells: { status: (status) => ({ text: status, colour: status === "delivered" ? "green" : "yellow" }) },
};

export function addCommands(program: Command): void {
  const messages = program
    .command("messages")
    .description("send messages, and show their state; prints the webhook secret")
    .addExamples('petstore messages send "Hello, World!"', "petstore messages webhook-secret");
  const send = messages
    .command("send")
    .description("queue a message for delivery; exit code 0 means that it is on disk")
    .argument("<text>", "text of the message; - reads it from standard input")
    .addExamples('petstore messages send "Hello, World!"', "petstore messages send - < note.txt");
  addPrintedOptions(send, ["messagesUrl"]).action(async (text: string, options: RemoteOptions) => {
    const message = text === "-" ? await Bun.stdin.text() : text;
    await printItem(options, format, ({ messages }) => messages.submit({ message }), "messagesUrl");
  });

  const status = messages
    .command("status")
    .description("show the state of a message: queued, delivered or failed")
    .argument("<id>", "identifier of the message, as printed by messages send")
    .addExamples("petstore messages status msg_4aYQwJdbBo8sV0rzP2fLxM");
  addPrintedOptions(status, ["messagesUrl"]).action((id: string, options: RemoteOptions) =>
    printItem(options, format, ({ messages }) => messages.get(id), "messagesUrl"),
  );
  addWebhookSecretCommand(messages);
}
