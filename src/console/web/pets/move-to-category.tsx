import { useSignal } from "@preact/signals";
import { type Int64, parseInt64 } from "exact-json/int64";
import { CategoryCombobox } from "../categories/category-combobox.tsx";
import { categoryName } from "../categories/category-names.ts";

export function MoveToCategory({ onMove }: { readonly onMove: (id: Int64, name: string) => void }) {
  const category = useSignal("");
  const id = parseInt64(category.value);
  const name = id === undefined ? "" : categoryName(category.value);
  return (
    <form
      class="bulk-actions"
      aria-label="Move to category"
      onSubmit={(event) => {
        event.preventDefault();
        if (id !== undefined) onMove(id, name);
      }}
    >
      <CategoryCombobox
        id="bulk-category"
        label="Category to move to"
        isLabelHidden
        placeholder="Category"
        value={category.value}
        onSelect={(value) => {
          category.value = value;
        }}
      />
      <button type="submit" disabled={id === undefined} dir="auto">
        {id === undefined ? "Move" : `Move to ${name}`}
      </button>
    </form>
  );
}
