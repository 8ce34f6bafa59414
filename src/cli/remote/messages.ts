import type { Message, MessageWithAttempts } from "../../../client/src/client.ts";
import type { Command } from "../command.ts";
import { addWebhookSecretCommand } from "../operator/webhook-secret.ts";
import type { TableFormat } from "../terminal/output-formats.ts";
import { addPrintedOptions, type RemoteOptions } from "./connection.ts";
import { PROGRESS_CELLS, PROGRESS_HEADINGS } from "./delivery-format.ts";
import { printItem } from "./print-resources.ts";

const COLUMNS = { id: "ID", status: "STATUS", createdAt: "SENT", message: "MESSAGE" };
const format: TableFormat<Message> = { plural: "messages", headings: COLUMNS, cells: PROGRESS_CELLS };
const formatWithAttempts: TableFormat<MessageWithAttempts> = {
  plural: "messages",
  headings: { ...COLUMNS, ...PROGRESS_HEADINGS },
  cells: PROGRESS_CELLS,
};

export function addCommands(program: Command): void {
  const messages = program
    .command("messages")
    .description("send and show messages; can also print the secret that signs their deliveries")
    .addExamples('petstore messages send "Hello, World!"', "petstore messages webhook-secret");
  const send = messages
    .command("send")
    .description(
      "submit a message, which the service then delivers; exit code 0 means that the message is stored on disk",
    )
    .argument("<text>", "text of the message, or - to read it from standard input")
    .addExamples('petstore messages send "Hello, World!"', "petstore messages send - < note.txt");
  addPrintedOptions(send, ["messagesUrl"]).action(async (text: string, options: RemoteOptions) => {
    const message = text === "-" ? await Bun.stdin.text() : text;
    await printItem(options, format, ({ messages }) => messages.submit({ message }), "messagesUrl");
  });

  addMessageCommand(messages, "status", "show a message, with the last attempt to deliver it");
  addMessageCommand(messages, "redeliver", "send a failed message again, with the same webhook-id as before");
  addWebhookSecretCommand(messages);
}

function addMessageCommand(group: Command, name: "status" | "redeliver", description: string) {
  const method = name === "status" ? "get" : name;
  const command = group
    .command(name)
    .description(description)
    .argument("<id>", "identifier of the message, as printed by petstore messages send")
    .addExamples(`petstore messages ${name} msg_4aYQwJdbBo8sV0rzP2fLxM`);
  addPrintedOptions(command, ["messagesUrl"]).action((id: string, options: RemoteOptions) =>
    printItem(options, formatWithAttempts, ({ messages }) => messages[method](id), "messagesUrl"),
  );
}
