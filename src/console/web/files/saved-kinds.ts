import type { Category } from "../../../categories/contract.ts";
import type { Order } from "../../../orders/contract.ts";
import {
  CATEGORY_SPREADSHEET,
  categoryNamesOf,
  ORDER_SPREADSHEET,
  petSpreadsheet,
} from "../../../pet-files/spreadsheet.ts";
import type { Pet } from "../../../pets/contract.ts";
import { everyPage } from "../every-page.ts";
import type { Query } from "../request.ts";
import { saveItems } from "./save-csv.ts";

export type SavedKind = "animals" | "categories" | "orders";

/**
 * Reads the items that match a filter, and saves them as a CSV file. The file has the same contents as one that `export --safe`
 * writes on the command line.
 */
export async function saveKind(
  kind: SavedKind,
  filter: Query,
  signal: AbortSignal,
  onProgress: (count: number) => void,
): Promise<void> {
  async function readAll<Item>(path: string): Promise<readonly Item[]> {
    const items: Item[] = [];
    for await (const page of everyPage<Item>(path, filter, signal)) {
      items.push(...page);
      onProgress(items.length);
    }
    return items;
  }
  if (kind === "animals") await savePets(await readAll<Pet>("/pets"), signal);
  else if (kind === "orders") saveItems(kind, ORDER_SPREADSHEET, await readAll<Order>("/store/orders"));
  else saveItems(kind, CATEGORY_SPREADSHEET, await readAll<Category>("/categories"));
}

export async function savePets(pets: readonly Pet[], signal = new AbortController().signal): Promise<void> {
  const names = await categoryNamesOf(everyPage<Category>("/categories", {}, signal));
  saveItems("animals", petSpreadsheet(names), pets);
}
