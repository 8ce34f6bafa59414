import { Option } from "commander";
import type { Client, List, Paging } from "../../../client/src/client.ts";
import { findTag } from "../../../client/src/etag.ts";
import { LISTED_DEFAULT, PAGE_SIZE_MAX } from "../../limits.ts";
import type { Command } from "../command.ts";
import { printStatus } from "../terminal/output.ts";
import {
  membersOf,
  outputFormatOf,
  printAll,
  printRecord,
  type RecordFormat,
  type RowFormat,
  rowOf,
  startRecords,
  type TableFormat,
} from "../terminal/output-formats.ts";
import { positiveInteger } from "./argument-parsers.ts";
import { type Addresses, addPrintedOptions, type RemoteOptions, withClient } from "./connection.ts";

export interface ListOptions extends RemoteOptions {
  readonly limit: number;
  readonly all?: true;
}

export function addListOptions(command: Command): Command {
  command
    .option("--limit <count>", "maximum number of entries to show", positiveInteger, LISTED_DEFAULT)
    .addOption(new Option("--all", "show all entries, without a limit").conflicts("limit"));
  return addPrintedOptions(command);
}

/** Prints a list page by page, up to the user's limit. If the list has more items, a note on standard error says so. */
export async function printList<Item extends object>(
  options: ListOptions,
  format: RecordFormat<Item>,
  list: (client: Client, paging: Paging) => Pick<List<Item>, "pages">,
): Promise<void> {
  const limit = options.all ? Number.POSITIVE_INFINITY : options.limit;
  const records = startRecords(options, format);
  let printed = 0;
  await withClient(options, async (client) => {
    // One item more than the limit is requested, to find out whether the list has more items.
    for await (const page of list(client, { limit: Math.min(PAGE_SIZE_MAX, limit + 1) }).pages()) {
      const items = page.slice(0, limit - printed);
      printed += items.length;
      records.add(items);
      if (items.length < page.length) {
        if (!options.quiet)
          printStatus(
            `There are more ${format.plural} than shown. Set a higher --limit, or show all with --all.`,
          );
        break;
      }
    }
  });
  records.end();
  if (printed === 0 && outputFormatOf(options) === undefined)
    printStatus(`There are no ${format.plural} to show.`);
}

export async function printItem<Item extends object>(
  options: RemoteOptions,
  format: TableFormat<Item>,
  call: (client: Client) => Promise<Item>,
  service?: keyof Addresses,
): Promise<void> {
  printRecord(options, format, await withClient(options, call, service));
}

export async function printWithTags<Id, Item extends object>(
  options: RemoteOptions,
  format: TableFormat<Item>,
  ids: readonly Id[],
  readOne: (client: Client, id: Id) => Promise<Item>,
): Promise<void> {
  const items = await withClient(options, async (client) => {
    const found: (Item & Tagged)[] = [];
    // All resources are read before the first is printed, so that nothing is printed if an identifier is unknown.
    for (const id of ids) found.push(withTag(await readOne(client, id)));
    return found;
  });
  const tagged: RowFormat<Item & Tagged> = {
    plural: format.plural,
    columns: [...Object.values<string>(format.headings), "ETAG"],
    row: (item) => [...rowOf(format, item), item.etag],
    members: [...membersOf(format), "etag"],
    optional: format.optional,
  };
  const [only, ...others] = items;
  if (only !== undefined && others.length === 0) printRecord(options, tagged, only);
  else printAll(options, tagged, items);
}

interface Tagged {
  readonly etag: string;
}

/**
 * Adds the ETag to an item. The quotes are removed, because a shell would remove them anyway. The prefix `W/` is removed, too,
 * because a proxy adds it when it compresses a response.
 */
function withTag<Item extends object>(item: Item): Item & Tagged {
  return { ...item, etag: findTag(item)?.replaceAll(/^W\/|"/g, "") ?? "" };
}
