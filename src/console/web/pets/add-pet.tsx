import { useSignal } from "@preact/signals";
import type { Pet } from "../../../pets/contract.ts";
import { announce } from "../components/announce.tsx";
import { Form } from "../components/form.tsx";
import { useForm } from "../components/form-state.ts";
import { shortName } from "../components/long-text.tsx";
import { Screen } from "../components/screen.tsx";
import { checkPet, type PetField, PetFields, petFrom } from "./pet-fields.tsx";

/** The form stays open after a save, for the next animal. */
export function AddPet() {
  const added = useSignal<readonly Pet[]>([]);
  const form = useForm<PetField>({
    id: "new-pet",
    initial: { name: "", categoryId: "", status: "available" },
    check: checkPet,
    async send(values, create) {
      const pet = await create<Pet>("/pets", petFrom(values));
      added.value = [pet, ...added.value];
      announce(`${shortName(pet.name, `Animal ${pet.id}`)} added`);
      document.getElementById("new-pet-name")?.focus();
      return undefined;
    },
  });
  return (
    <Screen title="Add an animal" actions={<a href="/animals">All animals</a>}>
      <div class="columns">
        <section class="card">
          <Form form={form} label="Add an animal" submitLabel="Add animal" busyLabel="Adding…">
            <PetFields form={form} />
          </Form>
        </section>
        <AddedPets pets={added.value} />
      </div>
    </Screen>
  );
}

function AddedPets({ pets }: { readonly pets: readonly Pet[] }) {
  if (pets.length === 0) return null;
  return (
    <section aria-labelledby="added-heading">
      <h2 id="added-heading">Added just now</h2>
      <ul class="plain">
        {pets.map(({ id, name }) => (
          <li key={String(id)}>
            <a href={`/animals/${id}`} dir="auto">
              {shortName(name, "No name")}
            </a>{" "}
            <span class="muted">number {String(id)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
