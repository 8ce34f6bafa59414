import type { Command } from "commander";
import type { Message } from "../../../client/src/client.ts";
import { addExamples } from "../examples.ts";
import { addRemoteOptions, type RemoteOptions, withMessages } from "./connection.ts";
import { printItem, type TableFormat } from "./table-format.ts";

interface MessageOptions extends RemoteOptions {
  readonly json?: true;
}

const sent: TableFormat<Message> = {
  plural: "messages",
  headings: ["ID", "STATUS", "SENT", "MESSAGE"],
  row: ({ id, status, createdAt, message }) => [
    id,
    { text: status, colour: status === "delivered" ? "green" : "yellow" },
    createdAt,
    message,
  ],
};

/** `petstore messages send|status` */
export function addSendCommands(messages: Command): void {
  const send = messages
    .command("send")
    .description("queue a message for delivery; when this ends well it is on disk")
    .argument("<text>", "what to say; - reads it from standard input")
    .option("--json", "print the message as JSON");
  addRemoteOptions(send, "messages").action(async (text: string, options: MessageOptions) => {
    const message = text === "-" ? await Bun.stdin.text() : text;
    printItem(options, sent, await withMessages(options, (client) => client.messages.submit({ message })));
  });
  addExamples(send, 'petstore messages send "Hello, World!"', "petstore messages send - < note.txt");

  const status = messages
    .command("status")
    .description("show how far a message has come: queued, delivered or failed")
    .argument("<id>", "the message's identifier, as `messages send` shows it")
    .option("--json", "print the message as JSON");
  addRemoteOptions(status, "messages").action(async (id: string, options: MessageOptions) => {
    printItem(options, sent, await withMessages(options, (client) => client.messages.get(id)));
  });
  addExamples(status, "petstore messages status msg_4aYQwJdbBo8sV0rzP2fLxM");
}
