import type { UnsentMail } from "../../accounts/mail/contract.ts";
import { listUnsentMails, redeliverMail } from "../../accounts/mail/mails.ts";
import type { Command } from "../command.ts";
import { printStatus } from "../terminal/output.ts";
import {
  addOutputOptions,
  type OutputOptions,
  outputFormatOf,
  printAll,
  type TableFormat,
} from "../terminal/output-formats.ts";
import { withAccounts } from "./accounts-database.ts";
import { addSettings } from "./settings.ts";

export function addMailCommands(accounts: Command): void {
  addList(accounts);
  addRedeliver(accounts);
}

function addList(accounts: Command) {
  const command = accounts
    .command("mails")
    .description("list the latest emails that could not be sent, newest first, with the reason")
    .addExamples("petstore accounts mails --json");
  addSettings(addOutputOptions(command)).action(async (options: OutputOptions) => {
    const found = await withAccounts(options, listUnsentMails);
    if (found.length === 0 && outputFormatOf(options) === undefined)
      printStatus(
        "There are no failed emails: all emails were sent, or are waiting for their first attempt.",
      );
    else printAll(options, format, found);
  });
}

function addRedeliver(accounts: Command) {
  const command = accounts
    .command("redeliver")
    .description("send a failed email again, with a new link that expires at the same time as the old one")
    .argument("<id>", "identifier of the email, as listed by petstore accounts mails")
    .addExamples("petstore accounts redeliver mail_Zp0aB1cD2eF3gH4i");
  addSettings(command).action(async (mailId: string, options: object) => {
    await withAccounts(options, (ctx) => redeliverMail(ctx, { mailId }));
    printStatus("The service will send the email again within 15 seconds.");
  });
}

const format: TableFormat<UnsentMail> = {
  plural: "mails",
  headings: {
    id: "ID",
    email: "TO",
    kind: "ABOUT",
    createdAt: "CREATED",
    isRetried: "TRIED AGAIN",
    reason: "PROBLEM",
  },
  cells: { isRetried: (isRetried) => (isRetried ? "yes" : "no") },
};
