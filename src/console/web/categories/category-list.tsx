import { CATEGORY_LIST_ID, type CategoryNames } from "./known-categories.ts";

/** Suggestions for a category field. */
export function CategoryList({ names }: { readonly names: CategoryNames | undefined }) {
  return (
    <datalist id={CATEGORY_LIST_ID}>
      {[...(names ?? [])].map(([id, name]) => (
        <option key={String(id)} value={String(id)}>
          {name}
        </option>
      ))}
    </datalist>
  );
}
