import { Option } from "commander";
import type { Int64, Order, OrderFilter } from "../../../client/src/client.ts";
import { ORDER_SPREADSHEET } from "../../pet-files/spreadsheet.ts";
import { writeCsv } from "../../pet-files/write-csv.ts";
import type { Command } from "../command.ts";
import type { TableFormat } from "../terminal/output-formats.ts";
import { idOption, moment } from "./argument-parsers.ts";
import type { RemoteOptions } from "./connection.ts";
import { addExport } from "./export.ts";
import { addListOptions, type ListOptions, printItem, printList } from "./print-resources.ts";
import {
  addRemoval,
  addResourceCommand,
  addShow,
  type ChangeFlags,
  ifMatchOption,
} from "./resource-command.ts";

const format: TableFormat<Order> = {
  plural: "orders",
  headings: {
    id: "ID",
    petId: "ANIMAL",
    quantity: "QUANTITY",
    shipDate: "SHIPS",
    complete: "STATE",
    createdAt: "PLACED",
    completedAt: "COMPLETED",
  },
  cells: {
    complete: (isComplete) =>
      isComplete ? { text: "complete", colour: "faint" } : { text: "open", colour: "yellow" },
  },
};

export function addCommands(program: Command): void {
  const group = program
    .command("orders")
    .description("list, place, complete and cancel orders for animals")
    .addExamples("petstore orders list", "petstore orders place 1");
  addList(group);
  addOrderExport(group);
  addShow(group, "order", format, ({ orders }, id) => orders.get(id));
  addResourceCommand(group, "place", {
    of: "animal",
    description: "place an order for an available animal; the status of the animal becomes pending",
    options: [new Option("--ship-date <time>", "shipping time, such as 2026-12-24T09:00:00Z")],
    examples: ["petstore orders place 1", "petstore orders place 1 --ship-date 2026-12-24T09:00:00Z"],
    run: (petId, { shipDate, ...options }: RemoteOptions & { readonly shipDate?: string }) =>
      printItem(options, format, ({ orders }) => orders.place({ petId, shipDate })),
  });
  addResourceCommand(group, "complete", {
    of: "order",
    description: "complete an order; the status of its animal becomes sold",
    options: [ifMatchOption()],
    examples: ["petstore orders complete 1"],
    run: (id, { ifMatch, ...options }: ChangeFlags) =>
      printItem(options, format, ({ orders }) => orders.complete(id, { ifMatch })),
  });
  addRemoval(group, "cancel", {
    of: "order",
    description: "cancel an order that is not complete; its animal becomes available again",
    examples: ["petstore orders cancel 2"],
    verb: "Cancel",
    done: "cancelled",
    remove: ({ orders }, id, change) => orders.cancel(id, change),
  });
}

interface CompletionFlags {
  readonly from?: Date;
  readonly before?: Date;
}

function completionOptions(): readonly Option[] {
  return [
    new Option(
      "--from <date>",
      "include only orders completed at this time or later, such as 2026-11-01",
    ).argParser(moment),
    new Option(
      "--before <date>",
      "include only orders completed before this time, such as 2026-12-01",
    ).argParser(moment),
  ];
}

function completionFilterOf({ from, before }: CompletionFlags): OrderFilter {
  return { completedFrom: from?.toISOString(), completedBefore: before?.toISOString() };
}

interface FilterOptions extends ListOptions, CompletionFlags {
  readonly pet?: Int64;
  readonly complete?: true;
  readonly open?: true;
}

function addList(group: Command) {
  const command = group
    .command("list")
    .description("list orders, newest first; cancelled orders are deleted, so they are not listed")
    .addOption(idOption("--pet <id>", "include only orders for this animal"))
    .option("--complete", "include only complete orders")
    .addOption(new Option("--open", "include only open orders").conflicts("complete"));
  for (const option of completionOptions()) command.addOption(option);
  command.addExamples(
    "petstore orders list --open --limit 50",
    "petstore orders list --pet 1",
    "petstore orders list --from 2026-11-01 --before 2026-12-01",
    "petstore orders list --all --json",
  );
  addListOptions(command).action(({ pet: petId, open, ...options }: FilterOptions) => {
    const filter = { petId, complete: open ? false : options.complete, ...completionFilterOf(options) };
    return printList(options, format, ({ orders }, paging) => orders.list({ ...filter, ...paging }));
  });
}

interface ExportFilter extends CompletionFlags {
  readonly pet?: Int64;
}

const CSV_MEMBERS = ["id", "petId", "quantity", "shipDate", "complete", "createdAt", "completedAt"] as const;

function addOrderExport(group: Command) {
  addExport<Order, ExportFilter>(group, {
    of: ["order", "orders"],
    description:
      "export orders to a file, newest first; with --from and --before, only orders that were completed in that time",
    filters: [idOption("--pet <id>", "include only orders for this animal"), ...completionOptions()],
    safe: "write CSV for a spreadsheet: with readable column names, and without text that a spreadsheet would run as a formula",
    examples: [
      "petstore orders export orders.csv --safe",
      "petstore orders export november.csv --from 2026-11-01 --before 2026-12-01",
    ],
    csv: {
      head: writeCsv(CSV_MEMBERS),
      line: (order) => writeCsv(CSV_MEMBERS.map((member) => String(order[member] ?? ""))),
    },
    spreadsheet: async () => ORDER_SPREADSHEET,
    list: ({ orders }, { pet: petId, ...flags }, paging, call) =>
      orders.list({ petId, ...completionFilterOf(flags), ...paging }, call),
  });
}
