import { CATEGORY_LIST_ID, type CategoryNames } from "./known-categories.ts";

/** What a category field offers while one types; any other number does, too. */
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
