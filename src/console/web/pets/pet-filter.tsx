import { useSignal } from "@preact/signals";
import { parseInt64 } from "../../../../client/src/int64.ts";
import { CATEGORY_LIST_ID, CategoryList, type CategoryNames } from "../categories/known-categories.tsx";
import { filterBy, StatusFilter } from "../components/status-filter.tsx";
import { route } from "../router.ts";
import { STATUS_CHOICES } from "./pet-status.tsx";

/** The filter is part of the address, so that it can be bookmarked, and Back undoes it. */
export function PetFilter({ categories }: { readonly categories: CategoryNames | undefined }) {
  const { query } = route.value;
  return (
    <search class="filter">
      <StatusFilter choices={STATUS_CHOICES} />
      <CategoryFilter key={query.get("category") ?? ""} category={query.get("category") ?? ""} />
      <CategoryList names={categories} />
      {(query.has("status") || query.has("category")) && <a href="/animals">Show all</a>}
    </search>
  );
}

function CategoryFilter({ category }: { readonly category: string }) {
  const isWrong = useSignal(category !== "" && parseInt64(category) === undefined);
  function onChange(text: string): void {
    isWrong.value = text !== "" && parseInt64(text) === undefined;
    if (!isWrong.value) filterBy({ category: text });
  }
  return (
    <div class="field">
      <label for="filter-category">Category</label>
      <input
        id="filter-category"
        type="text"
        inputMode="numeric"
        autocomplete="off"
        list={CATEGORY_LIST_ID}
        placeholder="Any category"
        defaultValue={category}
        aria-invalid={isWrong.value ? "true" : undefined}
        aria-describedby={isWrong.value ? "filter-category-problem" : undefined}
        onChange={(event) => onChange(event.currentTarget.value.trim())}
      />
      {isWrong.value && (
        <p class="problem" id="filter-category-problem">
          Category must be a whole number
        </p>
      )}
    </div>
  );
}
