import { InvalidArgumentError, Option } from "commander";
import { type Int64, parseInt64 } from "exact-json/int64";
import type { Client } from "../../../client/src/client.ts";
import { PAGE_SIZE_MAX } from "../../limits.ts";
import { categoryNumbers, resolveCategory } from "../../pet-files/categories.ts";

/** A category as the user specifies it: by its number, or by its name if the name is unique. */
export type GivenCategory = Int64 | string;

export function categoryOption(description: string): Option {
  return new Option("--category <id>", `${description} (identifier or name)`).argParser(parse);
}

function parse(text: string): GivenCategory {
  const number = parseInt64(text);
  if (number !== undefined) return number;
  if (/^\s*$|^[-+\d.,\s]+$/.test(text)) throw new InvalidArgumentError("Use a 64-bit integer.");
  return text;
}

/** Finds the number of a category. @throws Error if no category has this name, or if several have it */
export async function numberOf({ categories }: Client, given: GivenCategory): Promise<Int64> {
  if (typeof given !== "string") return given;
  const numbers = await categoryNumbers(categories.list({ limit: PAGE_SIZE_MAX }).pages());
  const resolved = resolveCategory(given, numbers);
  if ("refusal" in resolved) throw new Error(`--category ${resolved.refusal}.`);
  return resolved.id;
}

/** Yields the pages of a list. If a category is given, the list contains only resources in that category. */
export async function* pagesIn<Page>(
  client: Client,
  given: GivenCategory | undefined,
  list: (categoryId: Int64 | undefined) => { pages(): AsyncIterable<Page> },
): AsyncGenerator<Page, void, undefined> {
  yield* list(given === undefined ? undefined : await numberOf(client, given)).pages();
}
