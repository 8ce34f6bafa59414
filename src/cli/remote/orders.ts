import type { Command } from "commander";
import type { Int64, Order } from "../../../client/src/client.ts";
import { addExamples } from "../examples.ts";
import { printOutcome } from "../terminal/output.ts";
import { int64 } from "./argument-parsers.ts";
import { addRemoteOptions, type RemoteOptions, withClient } from "./connection.ts";
import { addListOptions, type ListOptions, printItem, printList, type TableFormat } from "./table-format.ts";

const format: TableFormat<Order> = {
  plural: "orders",
  headings: { id: "ID", petId: "ANIMAL", quantity: "QUANTITY", shipDate: "SHIPS", complete: "STATE" },
  cells: {
    complete: (isComplete) =>
      isComplete ? { text: "complete", colour: "faint" } : { text: "open", colour: "yellow" },
  },
};

/** `petstore orders list|place|complete|cancel` */
export function addOrderCommands(program: Command): void {
  const group = program.command("orders").description("place, complete and cancel orders for animals");
  addExamples(group, "petstore orders list", "petstore orders place 1");
  addList(group);
  addPlace(group);
  addComplete(group);
  addCancel(group);
}

function addList(group: Command): void {
  const command = group
    .command("list")
    .description("list orders, newest first; a cancelled order is removed");
  addListOptions(command).action((options: ListOptions) =>
    printList(options, format, ({ orders }, paging) => orders.list(paging)),
  );
  addExamples(command, "petstore orders list --limit 50", "petstore orders list --all --json");
}

function addPlace(group: Command): void {
  const command = group
    .command("place")
    .description("order an available animal; it becomes pending")
    .argument("<animal>", "identifier of the animal", int64)
    .option("--quantity <count>", "1, the only number of pieces an order may have (default: 1)", int64)
    .option("--ship-date <time>", "shipping time, such as 2026-12-24T09:00:00Z")
    .option("--json", "print the order as JSON");
  addRemoteOptions(command).action(
    (petId: Int64, options: RemoteOptions & { quantity?: Int64; shipDate?: string }) => {
      const { quantity, shipDate } = options;
      return printItem(options, format, ({ orders }) => orders.place({ petId, quantity, shipDate }));
    },
  );
  addExamples(command, "petstore orders place 1", "petstore orders place 1 --ship-date 2026-12-24T09:00:00Z");
}

function addComplete(group: Command): void {
  const command = group
    .command("complete")
    .description("complete an order; its animal becomes sold")
    .argument("<id>", "identifier of the order", int64)
    .option("--json", "print the order as JSON");
  addRemoteOptions(command).action((id: Int64, options: RemoteOptions) =>
    printItem(options, format, ({ orders }) => orders.complete(id)),
  );
  addExamples(command, "petstore orders complete 1");
}

function addCancel(group: Command): void {
  const command = group
    .command("cancel")
    .description("cancel an order that is not complete; its animal becomes available")
    .argument("<id>", "identifier of the order", int64)
    .option("--json", "print its identifier as JSON");
  addRemoteOptions(command).action(async (id: Int64, options: RemoteOptions) => {
    await withClient(options, ({ orders }) => orders.cancel(id));
    printOutcome(options, { id }, `Order ${id} is cancelled.`);
  });
  addExamples(command, "petstore orders cancel 2");
}
