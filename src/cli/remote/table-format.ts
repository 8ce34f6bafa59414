import type { Command } from "commander";
import type { Client, List, Paging } from "../../../client/src/client.ts";
import { findTag } from "../../../client/src/etag.ts";
import { LISTED_DEFAULT, PAGE_SIZE_MAX } from "../../limits.ts";
import { printJson, printStatus, startJsonArray } from "../terminal/output.ts";
import { type Cell, printTable, startTable } from "../terminal/table.ts";
import { positiveInteger } from "./argument-parsers.ts";
import { type Addresses, addRemoteOptions, type RemoteOptions, withClient } from "./connection.ts";

/** How a resource is shown as a table: a member without a heading does not compile. */
export interface TableFormat<Item> {
  readonly plural: string;
  /** In the order of the columns. */
  readonly headings: Readonly<Record<keyof Item & string, string>>;
  /** By default a cell is the member as text. */
  readonly cells?: { readonly [Member in keyof Item]?: (value: NonNullable<Item[Member]>) => Cell };
}

/** The same for what is shown otherwise than by its members. */
export interface RowFormat<Item> {
  readonly plural: string;
  readonly columns: readonly string[];
  readonly row: (item: Item) => readonly Cell[];
}

export interface ListOptions extends RemoteOptions {
  readonly limit: number;
  readonly all?: true;
}

export function addListOptions(command: Command): Command {
  command
    .option("--limit <count>", "maximum number to show", positiveInteger, LISTED_DEFAULT)
    .option("--all", "show all, without a limit")
    .option("--json", "print JSON");
  return addRemoteOptions(command);
}

/** Prints a list up to its limit, a page at a time, and says on standard error when there is more. */
export async function printList<Item>(
  options: ListOptions,
  format: TableFormat<Item> | RowFormat<Item>,
  list: (client: Client, paging: Paging) => List<Item>,
): Promise<void> {
  const limit = options.all ? Number.POSITIVE_INFINITY : options.limit;
  const json = options.json ? startJsonArray() : undefined;
  const table = options.json ? undefined : startTable(columnsOf(format));
  let printed = 0;
  await withClient(options, async (client) => {
    // One item beyond the limit shows that there is more.
    for await (const page of list(client, { limit: Math.min(PAGE_SIZE_MAX, limit + 1) }).pages()) {
      const items = page.slice(0, limit - printed);
      printed += items.length;
      json?.add(items);
      if (items.length > 0) table?.add(items.map((item) => rowOf(format, item)));
      if (items.length < page.length) {
        printStatus(`There are more ${format.plural}. Set a higher --limit, or show all with --all.`);
        break;
      }
    }
  });
  json?.end();
  if (printed === 0 && !options.json) printStatus(`There are no ${format.plural} to show.`);
}

/** Calls a service and prints the result. */
export async function printItem<Item>(
  options: RemoteOptions,
  format: TableFormat<Item>,
  call: (client: Client) => Promise<Item>,
  service?: keyof Addresses,
): Promise<void> {
  const item = await withClient(options, call, service);
  if (options.json) printJson(item);
  else printTable(Object.values(format.headings), [rowOf(format, item)]);
}

/** Calls a service and prints the resource with its ETag, which `--if-match` takes. */
export async function printWithTag<Item extends object>(
  options: RemoteOptions,
  format: TableFormat<Item>,
  call: (client: Client) => Promise<Item>,
): Promise<void> {
  const item = await withClient(options, call);
  // Without its quotes, which a shell would remove, and without the W/ of a proxy that compresses.
  const etag = findTag(item)?.replaceAll(/^W\/|"/g, "") ?? "";
  if (options.json) printJson({ ...item, etag });
  else printTable([...Object.values<string>(format.headings), "ETAG"], [[...rowOf(format, item), etag]]);
}

function columnsOf<Item>(format: TableFormat<Item> | RowFormat<Item>): readonly string[] {
  return "row" in format ? format.columns : Object.values(format.headings);
}

function rowOf<Item>(format: TableFormat<Item> | RowFormat<Item>, item: Item): readonly Cell[] {
  if ("row" in format) return format.row(item);
  const { headings, cells } = format;
  return (Object.keys(headings) as (keyof Item & string)[]).map((member) => {
    const value = item[member] ?? undefined;
    return value === undefined ? "" : (cells?.[member]?.(value) ?? String(value));
  });
}
