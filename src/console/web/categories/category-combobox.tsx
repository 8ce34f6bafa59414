import { useEffect } from "preact/hooks";
import { mayChange } from "../account/session.ts";
import { Combobox } from "../components/combobox.tsx";
import { connectionError } from "../request-error.ts";
import { categoryOption } from "./category-names.ts";
import { useCategoryNames } from "./known-categories.ts";

interface CategoryComboboxProps {
  readonly id: string;
  readonly value: string;
  readonly onSelect: (value: string) => void;
  readonly label?: string;
  readonly isLabelHidden?: boolean;
  readonly problem?: string | undefined;
  readonly placeholder?: string;
  /** True if the field is part of a filter. The field then does not offer to create a category. */
  readonly isForFinding?: boolean;
}

/** A form field that finds a category by a word in its name, or by its number. It can also create a category. */
export function CategoryCombobox(props: CategoryComboboxProps) {
  const { id, value, onSelect, label = "Category", isForFinding = false, ...rest } = props;
  const names = useCategoryNames() ?? new Map();
  useEffect(() => {
    // Loads the category search together with the field, because people nearly always choose a category in a form.
    if (!isForFinding) loadSearch().catch(() => {});
  }, []);
  return (
    <Combobox
      {...rest}
      id={id}
      label={label}
      noun="category"
      selected={value === "" ? undefined : categoryOption(value, names)}
      onSelect={(option) => onSelect(option?.value ?? "")}
      search={async (text) => (await loadSearch()).findCategories(text, names)}
      onCreate={
        mayChange.value && !isForFinding
          ? async (name) => (await loadSearch()).createCategory(name)
          : undefined
      }
    />
  );
}

/**
 * Loads the code that searches for categories. It is separate from the code of the field, because the list of animals has such a
 * field, but people seldom use it there.
 */
function loadSearch() {
  return import("./category-search.ts").catch(() => {
    throw connectionError();
  });
}
