import { Option } from "commander";
import type {
  Client,
  Delivery,
  DeliveryStatus,
  EventType,
  Int64,
  Webhook,
  WebhookStatus,
  WebhookWithSecret,
} from "../../../client/src/client.ts";
import { ConfigError } from "../../config/settings.ts";
import { DELIVERY_STATUSES } from "../../delivery-queue/contract.ts";
import { EVENT_TYPES } from "../../event-kinds/event-kinds.ts";
import { OVERLAP_DEFAULT_HOURS } from "../../limits.ts";
import { WEBHOOK_STATUSES } from "../../webhooks/contract.ts";
import type { Command } from "../command.ts";
import { printSecret, type TableFormat } from "../terminal/output-formats.ts";
import { idArgument, nonNegativeInteger } from "./argument-parsers.ts";
import { addPrintedOptions, type RemoteOptions, withClient } from "./connection.ts";
import { PROGRESS_CELLS, PROGRESS_HEADINGS } from "./delivery-format.ts";
import { eventTypesOption } from "./events.ts";
import { addListOptions, type ListOptions, printItem, printList } from "./print-resources.ts";
import {
  addRemove,
  addResourceCommand,
  addShow,
  type ChangeFlags,
  ifMatchOption,
} from "./resource-command.ts";

const format: TableFormat<Webhook> = {
  plural: "webhooks",
  headings: { id: "ID", status: "STATUS", createdAt: "ADDED", types: "TYPES", url: "URL" },
  cells: {
    status: (status) => ({ text: status, colour: status === "enabled" ? "green" : "faint" }),
    types: (types) => (types.length === EVENT_TYPES.length ? "all" : types.join(",")),
  },
};

export function addCommands(program: Command): void {
  const group = program
    .command("webhooks")
    .description(
      "list, add, change, test and remove webhooks; can also show their deliveries; needs the API key of an owner",
    )
    .addExamples("petstore webhooks list", "petstore webhooks add https://hooks.example.com/petstore");
  addList(group);
  addShow(group, "webhook", format, ({ webhooks }, id) => webhooks.get(id));
  addAdd(group);
  addUpdate(group);
  addRemove(group, "webhook", "remove a webhook and its deliveries", ({ webhooks }, id, change) =>
    webhooks.delete(id, change),
  );
  addRotateSecret(group);
  addResourceCommand(group, "test", {
    of: "webhook",
    description: "send a test event to a webhook; petstore webhooks deliveries shows the result",
    examples: ["petstore webhooks test 1"],
    run: (id, options: RemoteOptions) =>
      printItem(options, deliveryFormat, ({ webhooks }) => webhooks.test(id)),
  });
  addDeliveries(group);
}

function addList(group: Command) {
  const command = group
    .command("list")
    .description("list webhooks, newest first")
    .addExamples("petstore webhooks list", "petstore webhooks list --environment staging --json");
  addListOptions(command).action((options: ListOptions) =>
    printList(options, format, ({ webhooks }, paging) => webhooks.list(paging)),
  );
}

interface AddOptions extends RemoteOptions {
  readonly type?: EventType[];
  readonly status?: WebhookStatus;
}

function addAdd(group: Command) {
  const command = group
    .command("add")
    .description(
      "add a webhook, and print its secret on standard output, once; the secret cannot be shown again",
    )
    .argument("<url>", "URL that events are sent to")
    .addOption(eventTypesOption("types of events to send to the webhook (default: all)"))
    .addOption(new Option("--status <status>", "status (default: enabled)").choices(WEBHOOK_STATUSES))
    .addExamples(
      "export SECRET=$(petstore webhooks add https://hooks.example.com/petstore)",
      "petstore webhooks add https://hooks.example.com/orders --type order.placed",
    );
  addPrintedOptions(command).action((url: string, { type: types, status, ...options }: AddOptions) =>
    printNewSecret(options, "is added. Its secret", ({ webhooks }) =>
      webhooks.create({ url, types, status }),
    ),
  );
}

interface UpdateOptions extends ChangeFlags {
  readonly type?: EventType[];
  // The flag for the webhook's URL is `--to`, because `--url` is the store's address in every command.
  readonly to?: string;
  readonly status?: WebhookStatus;
}

function addUpdate(group: Command) {
  addResourceCommand(group, "update", {
    of: "webhook",
    description: "change a webhook; options that you leave out change nothing",
    options: [
      new Option("--to <url>", "new URL that events are sent to"),
      eventTypesOption("new list of event types to send to the webhook"),
      new Option(
        "--status <status>",
        "new status of the webhook: disabled (nothing more is sent, and queued deliveries are dropped) or enabled (it receives the events that happen from now on)",
      ).choices(WEBHOOK_STATUSES),
      ifMatchOption(),
    ],
    examples: [
      "petstore webhooks update 1 --status disabled",
      "petstore webhooks update 1 --type pet.created",
    ],
    async run(id, { to: url, type: types, status, ifMatch, ...options }: UpdateOptions) {
      const patch = { url, types, status };
      if (Object.values(patch).every((value) => value === undefined))
        throw new ConfigError("There is nothing to change. Set --to, --type or --status.");
      await printItem(options, format, ({ webhooks }) => webhooks.update(id, patch, { ifMatch }));
    },
  });
}

function addRotateSecret(group: Command) {
  addResourceCommand(group, "rotate-secret", {
    of: "webhook",
    description: "give a webhook a new secret, and print it on standard output; it is shown only once",
    options: [
      new Option(
        "--overlap <hours>",
        `hours during which deliveries are signed with both secrets (default: ${OVERLAP_DEFAULT_HOURS})`,
      ).argParser(nonNegativeInteger),
      ifMatchOption(),
    ],
    examples: ["petstore webhooks rotate-secret 1", "petstore webhooks rotate-secret 1 --overlap 0"],
    run: (id, { overlap: overlapHours, ifMatch, ...options }: ChangeFlags & { readonly overlap?: number }) =>
      printNewSecret(options, "has a new secret, which", ({ webhooks }) =>
        webhooks.rotateSecret(id, { overlapHours }, { ifMatch }),
      ),
  });
}

async function printNewSecret(
  options: RemoteOptions,
  what: string,
  call: (client: Client) => Promise<WebhookWithSecret>,
) {
  const webhook = await withClient(options, call);
  const { id, secret } = webhook;
  printSecret(options, {
    item: webhook,
    secret,
    sentence: `Webhook ${id} ${what} is not shown again.`,
    ifLost: `The secret of webhook ${id} could not be printed. Create a new one: petstore webhooks rotate-secret ${id}`,
  });
}

const deliveryFormat: TableFormat<Delivery> = {
  plural: "deliveries",
  headings: {
    id: "ID",
    eventId: "EVENT",
    type: "TYPE",
    status: "STATUS",
    createdAt: "QUEUED",
    ...PROGRESS_HEADINGS,
  },
  cells: PROGRESS_CELLS,
};

function addDeliveries(group: Command) {
  const list = group
    .command("deliveries")
    .description(
      "list the deliveries to a webhook, newest first, with the last attempt of each; --json shows all attempts",
    )
    .addArgument(idArgument("webhook"))
    .addOption(
      new Option("--status <status>", "include only deliveries with this status").choices(DELIVERY_STATUSES),
    )
    .addExamples("petstore webhooks deliveries 1", "petstore webhooks deliveries 1 --status failed --json");
  addListOptions(list).action(
    (id: Int64, { status, ...options }: ListOptions & { readonly status?: DeliveryStatus }) =>
      printList(options, deliveryFormat, ({ webhooks }, paging) =>
        webhooks.deliveries(id, { status, ...paging }),
      ),
  );

  addDeliveryCommand(group, "delivery", "show a delivery, with its last attempt; --json shows all attempts");
  addDeliveryCommand(group, "redeliver", "send a delivery again, with the same webhook-id as before");
}

/** Adds a command for one delivery. The command has the same name as the client's method that it calls. */
function addDeliveryCommand(group: Command, name: "delivery" | "redeliver", description: string) {
  const command = group
    .command(name)
    .description(description)
    .addArgument(idArgument("webhook"))
    .addArgument(
      idArgument(
        "delivery",
        "identifier of the delivery, as printed by petstore webhooks deliveries",
        "<delivery>",
      ),
    )
    .addExamples(`petstore webhooks ${name} 1 7`);
  addPrintedOptions(command).action((id: Int64, deliveryId: Int64, options: RemoteOptions) =>
    printItem(options, deliveryFormat, ({ webhooks }) => webhooks[name](id, deliveryId)),
  );
}
