import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Pet } from "../../../pets/contract.ts";
import { categoryName } from "../categories/category-names.ts";
import { useCategoryNames } from "../categories/known-categories.ts";
import { announce, announcePolite } from "../components/announce.tsx";
import { readDraft, saveDraft } from "../components/draft.ts";
import { Form } from "../components/form.tsx";
import { useForm } from "../components/form-state.ts";
import { lazy } from "../components/lazy.tsx";
import { shortName } from "../components/long-text.tsx";
import { Screen } from "../components/screen.tsx";
import { call, type Versioned } from "../request.ts";
import { toPetstoreError } from "../request-error.ts";
import { AllAnimalsLink } from "./all-animals-link.tsx";
import { linesOf, PASTED } from "./pasted-lines.ts";
import { checkPet, type PetField, PetFields, petFrom } from "./pet-fields.tsx";
import { StatusBadge } from "./pet-status.tsx";

const PastePets = lazy(async () => (await import("./paste-pets.tsx")).PastePets);

/** Name of the draft with the last category and status, which the next animal often shares. */
const LAST = "last-pet";

/** Form for new animals; it stays open after a save. */
export function AddPet() {
  const added = useSignal<readonly Versioned<Pet>[]>([]);
  const form = useForm<PetField>({
    id: "new-pet",
    initial: { categoryId: "", status: "available", ...readDraft(LAST), name: "" },
    check: checkPet,
    async send(values, create) {
      const pet = await create<Pet>("/pets", petFrom(values));
      added.value = [pet, ...added.value];
      announce(`${shortName(pet.name, `Animal ${pet.id}`)} added`);
      const { categoryId, status } = values;
      saveDraft(LAST, { categoryId, status });
      focusName();
      return { ...values, name: "" };
    },
  });
  const pasted = useSignal(readDraft(PASTED));
  const isPasting = pasted.value !== undefined;
  // Focuses the name field when it returns after pasted lines.
  useEffect(() => focusName, [isPasting]);
  function onPaste(event: ClipboardEvent) {
    const isName = event.target instanceof Element && event.target.id === "new-pet-name";
    const lines = isName ? linesOf(event.clipboardData?.getData("text/plain") ?? "") : undefined;
    if (lines === undefined) return;
    event.preventDefault();
    saveDraft(PASTED, lines);
    pasted.value = lines;
  }
  return (
    <Screen title="Add an animal" within="Animals" actions={<AllAnimalsLink />}>
      <div class={pasted.value ? "stack" : "columns"}>
        {pasted.value ? (
          <PastePets
            lines={pasted.value}
            form={form}
            onAdded={(pet) => {
              added.value = [pet, ...added.value];
            }}
            onClose={() => {
              pasted.value = undefined;
            }}
          />
        ) : (
          <section class="card" onPaste={onPaste}>
            <Form form={form} label="Add an animal" submitLabel="Add animal" busyLabel="Adding…">
              <PetFields form={form} nameHint="Paste several lines to add several animals." />
            </Form>
          </section>
        )}
        <AddedPets pets={added.value} onUndone={focusName} />
      </div>
    </Screen>
  );
}

function focusName() {
  document.getElementById("new-pet-name")?.focus();
}

interface AddedPetsProps {
  readonly pets: readonly Versioned<Pet>[];
  readonly onUndone: () => void;
}

/** Animals added since the page was opened, latest first. */
function AddedPets({ pets, onUndone }: AddedPetsProps) {
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
  async function undo() {
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
