import { navigate, route, withQuery } from "../router.ts";
import type { Choice } from "./field.tsx";

/** Select field that filters a list by status; the address holds the choice: it can be bookmarked, and Back undoes it. */
export function StatusFilter({ choices }: { readonly choices: readonly Choice[] }) {
  return (
    <div class="field">
      <label for="filter-status">Status</label>
      <select
        id="filter-status"
        value={route.value.query.get("status") ?? ""}
        onChange={(event) => filterBy({ status: event.currentTarget.value })}
      >
        <option value="">Any status</option>
        {choices.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}

export function filterBy(changes: Readonly<Record<string, string>>): void {
  navigate(withQuery({ ...changes, cursor: "" }), { keepFocus: true });
}
