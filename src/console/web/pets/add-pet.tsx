import { useSignal } from "@preact/signals";
import type { Pet } from "../../../pets/contract.ts";
import { announce } from "../components/announce.tsx";
import { readDraft, saveDraft } from "../components/draft.ts";
import { Form } from "../components/form.tsx";
import { useForm } from "../components/form-state.ts";
import { lazy } from "../components/lazy.tsx";
import { shortName } from "../components/long-text.tsx";
import { Screen } from "../components/screen.tsx";
import type { Versioned } from "../request.ts";
import { AddedPets } from "./added-pets.tsx";
import { AllAnimalsLink } from "./all-animals-link.tsx";
import { linesOf, PASTED } from "./pasted-lines.ts";
import { checkPet, type PetField, PetFields, petFrom } from "./pet-fields.tsx";

const PastePets = lazy(async () => (await import("./paste-pets.tsx")).PastePets);

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
  const pasted = useSignal(readDraft(PASTED));
  function onPaste(event: ClipboardEvent): void {
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
              setTimeout(focusName);
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

function focusName(): void {
  document.getElementById("new-pet-name")?.focus();
}
