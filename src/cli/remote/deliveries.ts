import { Option } from "commander";
import type { Delivery, DeliveryStatus, Int64 } from "../../../client/src/client.ts";
import { DELIVERY_STATUSES } from "../../webhooks/delivery-contract.ts";
import type { Command } from "../command.ts";
import { addOutputOptions, type TableFormat } from "../terminal/records.ts";
import type { Colour } from "../terminal/table.ts";
import { idArgument } from "./argument-parsers.ts";
import { addRemoteOptions, type RemoteOptions } from "./connection.ts";
import { addListOptions, type ListOptions, printItem, printList } from "./print-resources.ts";

const STATUS_COLOURS: Record<DeliveryStatus, Colour> = {
  waiting: "yellow",
  delivered: "green",
  failed: "bold",
  dropped: "faint",
};

export const deliveryFormat: TableFormat<Delivery> = {
  plural: "deliveries",
  headings: {
    id: "ID",
    eventId: "EVENT",
    type: "TYPE",
    status: "STATUS",
    createdAt: "QUEUED",
    attempts: "ATTEMPTS",
  },
  cells: {
    status: (status) => ({ text: status, colour: STATUS_COLOURS[status] }),
    // The last of them, and how many there were.
    attempts: ([last, ...others]) =>
      last === undefined ? "" : `${others.length + 1}: ${last.status ?? last.error} in ${last.durationMs} ms`,
  },
};

/** `petstore webhooks deliveries|redeliver` */
export function addDeliveries(group: Command): void {
  const list = group
    .command("deliveries")
    .description(
      "list what was sent to a webhook, newest first, with the last attempt; --json shows them all",
    )
    .addArgument(idArgument("webhook"))
    .addOption(new Option("--status <status>", "only deliveries with this status").choices(DELIVERY_STATUSES))
    .addExamples("petstore webhooks deliveries 1", "petstore webhooks deliveries 1 --status failed --json");
  addListOptions(list).action(
    (id: Int64, { status, ...options }: ListOptions & { readonly status?: DeliveryStatus }) =>
      printList(options, deliveryFormat, ({ webhooks }, paging) =>
        webhooks.deliveries(id, { status, ...paging }),
      ),
  );

  const redeliver = group
    .command("redeliver")
    .description("send a delivery again, with the same webhook-id")
    .addArgument(idArgument("webhook"))
    .addArgument(idArgument("delivery", "identifier of the delivery, as printed by deliveries", "<delivery>"))
    .addExamples("petstore webhooks redeliver 1 7");
  addRemoteOptions(addOutputOptions(redeliver)).action(
    (id: Int64, deliveryId: Int64, options: RemoteOptions) =>
      printItem(options, deliveryFormat, ({ webhooks }) => webhooks.redeliver(id, deliveryId)),
  );
}
