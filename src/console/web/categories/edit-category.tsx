import type { Category } from "../../../categories/contract.ts";
import { EditDialog } from "../components/edit-dialog.tsx";
import type { Versioned } from "../request.ts";
import { type CategoryField, CategoryFields, categoryFrom, checkCategory } from "./category-form.tsx";
import { CATEGORY_KIND } from "./category-kind.tsx";

export function EditCategory(category: Versioned<Category>) {
  return (
    <EditDialog<CategoryField, Category>
      kind={CATEGORY_KIND}
      opened={category}
      valuesOf={({ name, description = "" }) => ({ name, description })}
      bodyOf={categoryFrom}
      check={checkCategory}
      fields={CategoryFields}
    />
  );
}
