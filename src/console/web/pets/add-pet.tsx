import { useSignal } from "@preact/signals";
import type { Pet } from "../../../pets/contract.ts";
import { readCategoryNames } from "../categories/known-categories.ts";
import { announce } from "../components/announce.tsx";
import { Form } from "../components/form.tsx";
import { useForm } from "../components/form-state.ts";
import { shortName } from "../components/long-text.tsx";
import { Screen } from "../components/screen.tsx";
import { call } from "../request.ts";
import { useLoad } from "../use-load.ts";
import { type AnimalField, AnimalFields, categoryOf, checkAnimal } from "./pet-fields.tsx";

/** Stays open after each animal, for the next one. */
export function AddAnimal() {
  const categories = useLoad(readCategoryNames);
  const added = useSignal<readonly Pet[]>([]);
  const form = useForm<AnimalField>({
    id: "new-animal",
    initial: { name: "", categoryId: "", status: "available" },
    check: checkAnimal,
    async send(values, keyFor) {
      const { name, status } = values;
      const body = { name, categoryId: categoryOf(values), status: status === "" ? undefined : status };
      const pet = await call<Pet>("POST", "/pets", { body, idempotencyKey: keyFor(body) });
      added.value = [pet, ...added.value];
      announce(`${shortName(pet.name, `Animal ${pet.id}`)} added`);
      document.getElementById("new-animal-name")?.focus();
      return undefined;
    },
  });
  return (
    <Screen title="Add an animal" actions={<a href="/animals">All animals</a>}>
      <div class="columns">
        <section class="card">
          <Form form={form} label="Add an animal" submitLabel="Add animal" busyLabel="Adding…">
            <AnimalFields form={form} categories={categories.value} />
          </Form>
        </section>
        <AddedAnimals pets={added.value} />
      </div>
    </Screen>
  );
}

function AddedAnimals({ pets }: { readonly pets: readonly Pet[] }) {
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
