import type { Pet } from "../../../pets/contract.ts";
import { shortName } from "../components/long-text.tsx";
import type { Versioned } from "../request.ts";
import { select, selectAll, selected } from "./selection.ts";

interface PetCheckboxProps {
  readonly rows: readonly Versioned<Pet>[];
  readonly pet: Versioned<Pet>;
}

/** With Shift, selects all rows from the one before on. */
export function PetCheckbox({ rows, pet }: PetCheckboxProps) {
  return (
    <label class="box">
      <input
        type="checkbox"
        aria-label={`Select ${shortName(pet.name, `animal ${pet.id}`)}`}
        checked={selected.value.has(pet.id)}
        onClick={(event) => select(rows, pet, event.currentTarget.checked, event.shiftKey)}
      />
    </label>
  );
}

/** Selects every animal that is shown, or none. */
export function AllCheckbox({ rows }: Pick<PetCheckboxProps, "rows">) {
  const count = rows.filter(({ id }) => selected.value.has(id)).length;
  return (
    <label class="box">
      <input
        type="checkbox"
        aria-label="Select all animals shown"
        checked={count > 0 && count === rows.length}
        indeterminate={count > 0 && count < rows.length}
        onClick={(event) => selectAll(rows, event.currentTarget.checked)}
      />
      <span class="select-all">Select all</span>
    </label>
  );
}
