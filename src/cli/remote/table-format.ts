import type { Command } from "commander";
import type { List, Paging } from "../../../client/src/client.ts";
import { LISTED_DEFAULT, PAGE_SIZE_MAX } from "../../limits.ts";
import { printJson, printStatus, startJsonArray } from "../terminal/output.ts";
import { type Cell, printTable, startTable } from "../terminal/table.ts";
import { positiveInteger } from "./argument-parsers.ts";

/** A heading, and the cell below it. */
export type Column<Item> = readonly [heading: string, cell: (item: Item) => Cell];

/** How a resource is shown as a table. Each format has a column for every member, which its `satisfies` holds. */
export interface TableFormat<Item> {
  readonly plural: string;
  readonly columns: Readonly<Record<string, Column<Item>>>;
}

export interface ListOptions {
  readonly limit: number;
  readonly all?: true;
  readonly json?: true;
}

export function addListOptions(command: Command): Command {
  return command
    .option("--limit <count>", "maximum number to show", positiveInteger, LISTED_DEFAULT)
    .option("--all", "show all, without a limit")
    .option("--json", "print JSON");
}

/** Prints a list up to its limit, a page at a time, and says on standard error when there is more. */
export async function printList<Item>(
  options: ListOptions,
  format: TableFormat<Item>,
  list: (paging: Paging) => List<Item>,
): Promise<void> {
  const limit = options.all ? Number.POSITIVE_INFINITY : options.limit;
  const json = options.json ? startJsonArray() : undefined;
  const table = options.json ? undefined : startTable(headingsOf(format));
  let printed = 0;
  // One item beyond the limit shows that there is more.
  for await (const page of list({ limit: Math.min(PAGE_SIZE_MAX, limit + 1) }).pages()) {
    const items = page.slice(0, limit - printed);
    printed += items.length;
    json?.add(items);
    if (items.length > 0) table?.add(items.map((item) => rowOf(format, item)));
    if (items.length < page.length) {
      printStatus(`There are more ${format.plural}. Set a higher --limit, or show all with --all.`);
      break;
    }
  }
  json?.end();
  if (printed === 0 && !options.json) printStatus(`There are no ${format.plural} to show.`);
}

export function printItem<Item>(
  { json }: { readonly json?: true },
  format: TableFormat<Item>,
  item: Item,
): void {
  if (json) printJson(item);
  else printTable(headingsOf(format), [rowOf(format, item)]);
}

function headingsOf<Item>({ columns }: TableFormat<Item>): readonly string[] {
  return Object.values(columns).map(([heading]) => heading);
}

function rowOf<Item>({ columns }: TableFormat<Item>, item: Item): readonly Cell[] {
  return Object.values(columns).map(([, cell]) => cell(item));
}
