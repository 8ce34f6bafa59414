import type { Category, Order } from "../../client/src/client.ts";
import type { Pet } from "../pets/contract.ts";
import { plainText } from "./columns.ts";
import { toSafeText } from "./safe-text.ts";
import { type FileWriter, writeCsv } from "./write-csv.ts";

// CSV for spreadsheet programs. People can understand the column headings, and no program runs a text as a formula or converts
// it.

/**
 * The byte order mark (U+FEFF). Without it, Excel on Windows does not recognize UTF-8, and uses the usual encoding of the user's
 * country.
 */
const BYTE_ORDER_MARK = "\ufeff";

/**
 * The ending of a column heading. It says that the texts in the column were made safe for spreadsheet programs. An import
 * restores texts only in such columns.
 */
const SAFE = " (safe)";

export const SAFE_NAME = `Name${SAFE}`;
const SAFE_CATEGORY_NUMBER = `Category number${SAFE}`;
const SAFE_CATEGORY = `Category name${SAFE}`;
const SAFE_NUMBER = `Own number${SAFE}`;

const SAFE_HEADINGS = [SAFE_NAME, SAFE_CATEGORY_NUMBER, SAFE_CATEGORY, SAFE_NUMBER].map(plainText);

/**
 * True for the heading of a column whose texts an export has made safe, even if somebody has changed the heading's case or
 * punctuation.
 */
export function isSafeHeading(heading: string): boolean {
  return SAFE_HEADINGS.includes(plainText(heading));
}

type Columns<Item> = Readonly<Record<string, (item: Item) => unknown>>;

function spreadsheet<Item>(columns: Columns<Item>): FileWriter<Item> {
  const cells = Object.entries(columns).map(([heading, read]) => {
    const textOf = (item: Item) => String(read(item) ?? "");
    return heading.endsWith(SAFE) ? (item: Item) => toSafeText(textOf(item)) : textOf;
  });
  return {
    head: BYTE_ORDER_MARK + writeCsv(Object.keys(columns)),
    line: (item) => writeCsv(cells.map((cell) => cell(item))),
  };
}

export async function categoryNamesOf(
  pages: AsyncIterable<readonly Category[]>,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for await (const page of pages) for (const { id, name } of page) names.set(String(id), name);
  return names;
}

export function petSpreadsheet(categoryNames: ReadonlyMap<string, string>): FileWriter<Pet> {
  return spreadsheet({
    ID: ({ id }) => id,
    [SAFE_NAME]: ({ name }) => name,
    [SAFE_CATEGORY_NUMBER]: ({ categoryId }) => categoryId,
    [SAFE_CATEGORY]: ({ categoryId }) => categoryNames.get(String(categoryId)),
    Status: ({ status }) => status,
    [SAFE_NUMBER]: ({ externalId }) => externalId,
  });
}

export const CATEGORY_SPREADSHEET = spreadsheet<Category>({
  Number: ({ id }) => id,
  [SAFE_NAME]: ({ name }) => name,
  [`Description${SAFE}`]: ({ description }) => description,
  Created: ({ createdAt }) => createdAt,
});

export const ORDER_SPREADSHEET = spreadsheet<Order>({
  Order: ({ id }) => id,
  "Animal ID": ({ petId }) => petId,
  Quantity: ({ quantity }) => quantity,
  State: ({ complete }) => (complete ? "complete" : "open"),
  Placed: ({ createdAt }) => createdAt,
  Ships: ({ shipDate }) => shipDate,
  Completed: ({ completedAt }) => completedAt,
});

/** An empty file with column headings, for people to fill in and import. */
export const TEMPLATE = BYTE_ORDER_MARK + writeCsv(["Name", "Category", "Status", "Own number"]);
