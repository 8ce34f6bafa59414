import { parseInt64 } from "exact-json/int64";
import { writeJson } from "exact-json/write-json";
import type { Category } from "../../../categories/contract.ts";
import { nameMatcher, wordsOf } from "../../../pets/words.ts";
import { announce } from "../components/announce.tsx";
import { deleteDraft, idempotencyKeyFor } from "../components/draft.ts";
import { shortName } from "../components/long-text.tsx";
import type { Option } from "../components/option.ts";
import { call } from "../request.ts";
import { type CategoryNames, categoryOption } from "./category-names.ts";
import { knownCategories, learnCategory } from "./known-categories.ts";

const OPTIONS_MAX = 100;
/** The name under which the browser stores the idempotency key while the category field creates a category. */
const DRAFT = "category-on-the-way";

/** Finds categories by name or by number. A number is searched for only in `read`, the category names that are already loaded. */
export async function findCategories(text: string, read: CategoryNames): Promise<readonly Option[]> {
  const number = parseInt64(text);
  const names = number === undefined ? await knownCategories() : read;
  const isNamed = nameMatcher(wordsOf(text));
  const found = [...names]
    .filter(([id, name]) => id !== number && isNamed(name))
    .sort(([, one], [, other]) => one.localeCompare(other))
    .slice(0, OPTIONS_MAX)
    .map(([id]) => categoryOption(String(id), names));
  return number === undefined ? found : [categoryOption(String(number), names), ...found];
}

export async function createCategory(name: string): Promise<Option> {
  const body = { name };
  const idempotencyKey = idempotencyKeyFor(DRAFT, writeJson(body));
  const category = await call<Category>("POST", "/categories", { body, idempotencyKey });
  deleteDraft(DRAFT);
  learnCategory(category);
  announce(`Category “${shortName(name, "")}” created`);
  return categoryOption(String(category.id), await knownCategories());
}
