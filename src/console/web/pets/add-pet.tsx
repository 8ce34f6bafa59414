import { useSignal } from "@preact/signals";
import type { Pet } from "../../../pets/contract.ts";
import { announce } from "../components/announce.tsx";
import { readDraft, saveDraft } from "../components/draft.ts";
import { Form } from "../components/form.tsx";
import { useForm } from "../components/form-state.ts";
import { shortName } from "../components/long-text.tsx";
import { Screen } from "../components/screen.tsx";
import type { Versioned } from "../request.ts";
import { AddedPets } from "./added-pets.tsx";
import { checkPet, type PetField, PetFields, petFrom } from "./pet-fields.tsx";

/** Name of the draft that keeps the last category and status: the next animal is often of the same ones. */
const LAST = "last-pet";

/** The form stays open after a save, for the next animal. */
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
  return (
    <Screen
      title="Add an animal"
      within="Animals"
      actions={
        <a href="/animals" rel="up">
          All animals
        </a>
      }
    >
      <div class="columns">
        <section class="card">
          <Form form={form} label="Add an animal" submitLabel="Add animal" busyLabel="Adding…">
            <PetFields form={form} />
          </Form>
        </section>
        <AddedPets pets={added.value} onUndone={focusName} />
      </div>
    </Screen>
  );
}

function focusName(): void {
  document.getElementById("new-pet-name")?.focus();
}
