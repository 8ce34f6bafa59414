import { useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import type { Pet } from "../../../pets/contract.ts";
import { categoryName } from "../categories/category-names.ts";
import { useCategoryNames } from "../categories/known-categories.ts";
import { ActionButton } from "../components/action-button.tsx";
import { announce, announcePolite } from "../components/announce.tsx";
import { readDraft, saveDraft } from "../components/draft.ts";
import { Form } from "../components/form.tsx";
import { useForm } from "../components/form-state.ts";
import { shortName } from "../components/long-text.tsx";
import { Screen } from "../components/screen.tsx";
import { importLines } from "../files/import-state.ts";
import { call, type Versioned } from "../request.ts";
import { AllAnimalsLink } from "./all-animals-link.tsx";
import { checkPet, LAST_PET, type PetField, PetFields, petFrom } from "./pet-fields.tsx";
import { StatusBadge } from "./pet-status.tsx";

/** Matches pasted text with several lines, or with several cells of a spreadsheet (separated by tabs). */
const SEVERAL = /\t|\S\s*[\r\n]\s*\S/;

/** The form for new animals. It stays open after a save. */
export function AddPet() {
  const added = useSignal<readonly Versioned<Pet>[]>([]);
  const form = useForm<PetField>({
    id: "new-pet",
    initial: { categoryId: "", status: "available", ...readDraft(LAST_PET), name: "", externalId: "" },
    check: checkPet,
    async send(values, create) {
      const pet = await create<Pet>("/pets", petFrom(values));
      added.value = [pet, ...added.value];
      announce(`${shortName(pet.name, `Animal ${pet.id}`)} added`);
      const { categoryId, status } = values;
      saveDraft(LAST_PET, { categoryId, status });
      focusName();
    },
  });
  // This is a layout effect, so that the field has the focus before the first key is pressed, and takes it from no other field.
  useLayoutEffect(focusName, []);
  function onPaste(event: ClipboardEvent) {
    const isName = event.target instanceof Element && event.target.id === "new-pet-name";
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!isName || !SEVERAL.test(text)) return;
    event.preventDefault();
    const { categoryId, status } = form.values;
    saveDraft(LAST_PET, { categoryId, status });
    importLines(text);
  }
  return (
    <Screen title="Add an animal" within="Animals" actions={<AllAnimalsLink />}>
      <div class="columns">
        <section class="card" onPaste={onPaste}>
          <Form form={form} label="Add an animal" submitLabel="Add animal" busyLabel="Adding…">
            <PetFields form={form} nameHint="Paste several lines to import several animals." />
          </Form>
        </section>
        <AddedPets
          pets={added.value}
          onUndone={(pet) => {
            added.value = added.value.filter((other) => other !== pet);
            focusName();
          }}
        />
      </div>
    </Screen>
  );
}

function focusName() {
  document.getElementById("new-pet-name")?.focus();
}

interface AddedPetsProps {
  readonly pets: readonly Versioned<Pet>[];
  readonly onUndone: (pet: Versioned<Pet>) => void;
}

/** Lists the animals that this person has added since the page was opened, latest first. */
function AddedPets({ pets, onUndone }: AddedPetsProps) {
  useCategoryNames();
  if (pets.length === 0) return null;
  async function undo(pet: Versioned<Pet>, name: string) {
    await call("DELETE", `/pets/${pet.id}`, { ifMatch: pet.etag });
    announcePolite(`${name} removed again`);
    onUndone(pet);
  }
  const rows = pets.map((pet) => ({ pet, name: shortName(pet.name, "No name") }));
  return (
    <section aria-labelledby="added-heading">
      <h2 id="added-heading">Added just now: {pets.length}</h2>
      <ul class="plain">
        {rows.map(({ pet, name }) => (
          <li key={String(pet.id)}>
            <a href={`/animals/${pet.id}`} dir="auto">
              {name}
            </a>{" "}
            <span class="muted">
              number {String(pet.id)}, <span dir="auto">{categoryName(String(pet.categoryId))}</span>
            </span>{" "}
            <StatusBadge status={pet.status} />{" "}
            <ActionButton
              class="link"
              label={`Undo: remove ${name}`}
              failure={`${name} was not removed.`}
              action={() => undo(pet, name)}
            >
              Undo
            </ActionButton>
          </li>
        ))}
      </ul>
    </section>
  );
}
