import type { Command } from "commander";
import type { List, Paging } from "../../../client/src/client.ts";
import { LISTED_DEFAULT, PAGE_SIZE_MAX } from "../../limits.ts";
import { printJson, printStatus, startJsonArray } from "../terminal/output.ts";
import { type Cell, printTable, startTable } from "../terminal/table.ts";
import { count } from "./argument-parsers.ts";

/** How something of the shop's is shown to people. */
export interface TableFormat<Item> {
  readonly plural: string;
  readonly headings: readonly string[];
  row(item: Item): readonly Cell[];
}

export interface ListOptions {
  readonly limit: number;
  readonly all?: true;
  readonly json?: true;
}

/** Gives a command the flags that say how much of a list is wanted. */
export function addListOptions(command: Command): Command {
  return command
    .option("--limit <count>", "how many at most", count, LISTED_DEFAULT)
    .option("--all", "all of them, however many")
    .option("--json", "print JSON");
}

/** Prints as much of a list as is wanted, a page at a time, and says so when there is more. */
export async function printList<Item>(
  options: ListOptions,
  shape: TableFormat<Item>,
  list: (paging: Paging) => List<Item>,
): Promise<void> {
  const wanted = options.all ? Number.POSITIVE_INFINITY : options.limit;
  const output = options.json ? startJsonArray() : undefined;
  const table = options.json ? undefined : startTable(shape.headings);
  let printed = 0;
  // One more than is wanted tells whether there is more.
  for await (const page of list({ limit: Math.min(PAGE_SIZE_MAX, wanted + 1) }).pages()) {
    const items = page.slice(0, wanted - printed);
    printed += items.length;
    output?.add(items);
    if (items.length > 0) table?.add(items.map(shape.row));
    if (items.length < page.length) {
      printStatus(`There are more ${shape.plural}: --limit takes a larger number, --all shows every one.`);
      break;
    }
  }
  output?.end();
  if (printed === 0 && !options.json) printStatus(`There are no ${shape.plural} to show.`);
}

/** Prints one of them. */
export function printItem<Item>(
  { json }: { readonly json?: true },
  shape: TableFormat<Item>,
  item: Item,
): void {
  if (json) printJson(item);
  else printTable(shape.headings, [shape.row(item)]);
}
