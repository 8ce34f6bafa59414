import { useSignal } from "@preact/signals";
import type { Pet } from "../../../pets/contract.ts";
import { categoryName } from "../categories/category-names.ts";
import { useCategoryNames } from "../categories/known-categories.ts";
import { announcePolite } from "../components/announce.tsx";
import { shortName } from "../components/long-text.tsx";
import { call, type Versioned } from "../request.ts";
import { toPetstoreError } from "../request-error.ts";
import { StatusBadge } from "./pet-status.tsx";

interface AddedPetsProps {
  readonly pets: readonly Versioned<Pet>[];
  readonly onUndone: () => void;
}

/** What was added since the page was opened, the last first. */
export function AddedPets({ pets, onUndone }: AddedPetsProps) {
  useCategoryNames();
  if (pets.length === 0) return null;
  return (
    <section aria-labelledby="added-heading">
      <h2 id="added-heading">Added just now: {pets.length}</h2>
      <ul class="plain">
        {pets.map((pet) => (
          <AddedPet key={String(pet.id)} pet={pet} onUndone={onUndone} />
        ))}
      </ul>
    </section>
  );
}

interface AddedPetProps extends Pick<AddedPetsProps, "onUndone"> {
  readonly pet: Versioned<Pet>;
}

function AddedPet({ pet, onUndone }: AddedPetProps) {
  const { id, status } = pet;
  const name = shortName(pet.name, "No name");
  const undoing = useSignal<"no" | "busy" | "done">("no");
  const problem = useSignal<string | undefined>(undefined);
  async function undo(): Promise<void> {
    undoing.value = "busy";
    problem.value = undefined;
    try {
      await call("DELETE", `/pets/${id}`, { ifMatch: pet.etag });
      undoing.value = "done";
      announcePolite(`${name} removed again`);
      onUndone();
    } catch (error) {
      const { code, message } = toPetstoreError(error);
      const isChanged = code === "precondition_failed";
      problem.value = isChanged ? "Somebody has changed it since: open it to remove it." : message;
      undoing.value = "no";
    }
  }
  if (undoing.value === "done") {
    return (
      <li class="muted">
        <s dir="auto">{name}</s> removed again
      </li>
    );
  }
  return (
    <li>
      <a href={`/animals/${id}`} dir="auto">
        {name}
      </a>{" "}
      <span class="muted">
        number {String(id)}, <span dir="auto">{categoryName(String(pet.categoryId))}</span>
      </span>{" "}
      <StatusBadge status={status} />{" "}
      <button
        type="button"
        class="link"
        aria-label={`Undo: remove ${name}`}
        disabled={undoing.value === "busy"}
        onClick={() => void undo()}
      >
        Undo
      </button>
      {problem.value && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
    </li>
  );
}
