import { CategoryCombobox } from "../categories/category-combobox.tsx";
import { filterBy } from "../components/status-filter.tsx";
import { route } from "../router.ts";
import { PetSearch } from "./pet-search.tsx";

/** The filter is part of the address, so that it can be bookmarked, and Back undoes it. */
export function PetFilter() {
  const { query } = route.value;
  return (
    <search class="filter">
      <PetSearch />
      <CategoryCombobox
        id="filter-category"
        value={query.get("category") ?? ""}
        onSelect={(category) => filterBy({ category })}
        placeholder="Any category"
        isForFinding
      />
      {query.size > 0 && <a href="/animals">Show all</a>}
    </search>
  );
}
