import { parseInt64 } from "exact-json/int64";
import { writeJson } from "exact-json/write-json";
import type { Category } from "../../../categories/contract.ts";
import { nameMatcher, wordsOf } from "../../../pets/words.ts";
import { mayChange } from "../account/session.ts";
import { announce } from "../components/announce.tsx";
import { Combobox } from "../components/combobox.tsx";
import { deleteDraft, idempotencyKeyFor } from "../components/draft.ts";
import { shortName } from "../components/long-text.tsx";
import type { Option } from "../components/option.ts";
import { call } from "../request.ts";
import { type CategoryNames, categoryName } from "./category-names.ts";
import { knownCategories, learnCategory, useCategoryNames } from "./known-categories.ts";

const OPTIONS_MAX = 100;
/** The name under which an idempotency key is stored for a category that is created from the category field. */
const DRAFT = "category-on-the-way";

interface CategoryComboboxProps {
  readonly id: string;
  readonly value: string;
  readonly onSelect: (value: string) => void;
  readonly label?: string;
  readonly isLabelHidden?: boolean;
  readonly problem?: string | undefined;
  readonly placeholder?: string;
  /** True if the field is part of a filter. It then does not offer to create a category. */
  readonly isForFinding?: boolean;
}

/** A form field that finds a category by a word in its name, or by its number. It can also create a category. */
export function CategoryCombobox(props: CategoryComboboxProps) {
  const { id, value, onSelect, label = "Category", isForFinding = false, ...rest } = props;
  const names = useCategoryNames() ?? new Map();
  return (
    <Combobox
      {...rest}
      id={id}
      label={label}
      noun="category"
      selected={value === "" ? undefined : optionOf(value, names)}
      onSelect={(option) => onSelect(option?.value ?? "")}
      search={(text) => findCategories(text, names)}
      onCreate={mayChange.value && !isForFinding ? createCategory : undefined}
    />
  );
}

function optionOf(value: string, names: CategoryNames): Option {
  const label = categoryName(value);
  const namesakes = [...names.values()].filter((name) => shortName(name, "") === label);
  return { value, label, detail: namesakes.length > 1 ? `number ${value}` : undefined };
}

/** @param read the names that have been read so far; while there are none, a category can be found only by its number */
async function findCategories(text: string, read: CategoryNames) {
  const number = parseInt64(text);
  const names = number === undefined ? await knownCategories() : read;
  const isNamed = nameMatcher(wordsOf(text));
  const found = [...names]
    .filter(([id, name]) => id !== number && isNamed(name))
    .sort(([, one], [, other]) => one.localeCompare(other))
    .slice(0, OPTIONS_MAX)
    .map(([id]) => optionOf(String(id), names));
  return number === undefined ? found : [optionOf(String(number), names), ...found];
}

async function createCategory(name: string): Promise<Option> {
  const body = { name };
  const idempotencyKey = idempotencyKeyFor(DRAFT, writeJson(body));
  const category = await call<Category>("POST", "/categories", { body, idempotencyKey });
  deleteDraft(DRAFT);
  learnCategory(category);
  announce(`Category “${shortName(name, "")}” created`);
  return optionOf(String(category.id), await knownCategories());
}
