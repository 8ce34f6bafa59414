import type { Pet } from "../../../pets/contract.ts";
import { type CategoryNames, readCategoryNames } from "../categories/known-categories.tsx";
import { announce } from "../components/announce.tsx";
import { useDialog } from "../components/dialog.tsx";
import { Empty } from "../components/empty.tsx";
import { Form } from "../components/form.tsx";
import { useForm, type Values } from "../components/form-state.ts";
import { Loading } from "../components/loading.tsx";
import { shortName } from "../components/long-text.tsx";
import { Screen } from "../components/screen.tsx";
import { call, callPage } from "../request.ts";
import { navigate } from "../router.ts";
import { useLoad } from "../use-load.ts";
import { checkPet, type PetField, PetFields, petFrom } from "./pet-fields.tsx";
import { RemovePet } from "./remove-pet.tsx";

export function EditPet({ id }: { readonly id: string }) {
  const categories = useLoad(readCategoryNames);
  const pets = useLoad((signal) => callPage<Pet>("/pets", { query: { id }, signal }), [id]);
  const pet = pets.value?.items[0];
  const title = pet === undefined ? `Animal ${id}` : shortName(pet.name, `Animal ${id}`);
  return (
    <Screen title={title} actions={<a href="/animals">All animals</a>}>
      <Loading loaded={pets} what="the animal">
        {({ items: [found] }) =>
          found === undefined ? (
            <Empty title="No animal has this number.">
              <p>
                It may have been removed. <a href="/animals">See all animals</a>.
              </p>
            </Empty>
          ) : (
            <PetCard pet={found} categories={categories.value} onSaved={pets.reload} />
          )
        }
      </Loading>
    </Screen>
  );
}

interface PetCardProps {
  readonly pet: Pet;
  readonly categories: CategoryNames | undefined;
  readonly onSaved: () => Promise<void>;
}

function PetCard({ pet, categories, onSaved }: PetCardProps) {
  const removing = useDialog<Pet>();
  const initial = valuesOf(pet);
  const form = useForm<PetField>({
    id: `pet-${pet.id}`,
    initial,
    check: (values) =>
      values.name === pet.name ? checkPet({ ...values, name: "unchanged" }) : checkPet(values),
    async send(values) {
      const saved = await call<Pet>("PATCH", `/pets/${pet.id}`, { body: changesOf(values, initial) });
      announce(`${shortName(saved.name, `Animal ${pet.id}`)} saved`);
      document.querySelector("h1")?.focus();
      await onSaved();
      return valuesOf(saved);
    },
  });
  const remove = (
    <button type="button" class="secondary" onClick={() => removing.open(pet)}>
      Remove…
    </button>
  );
  return (
    <section class="card narrow">
      <p class="muted">Number {String(pet.id)}</p>
      <Form form={form} label="Edit animal" submitLabel="Save changes" busyLabel="Saving…" actions={remove}>
        <PetFields form={form} categories={categories} />
      </Form>
      {removing.subject && (
        <RemovePet
          pet={pet}
          onDeleted={() => navigate("/animals", { replace: true })}
          onClose={removing.close}
        />
      )}
    </section>
  );
}

function valuesOf({ name, categoryId, status }: Pet): Values<PetField> {
  return { name, categoryId: String(categoryId), status: status ?? "" };
}

/** A JSON Merge Patch of the changed fields: one that a field does not show in full stays as it is. */
function changesOf(values: Values<PetField>, initial: Readonly<Record<string, string>>) {
  const typed: Readonly<Record<string, string>> = values;
  const changed = Object.entries(petFrom(values)).filter(([name]) => typed[name] !== initial[name]);
  return Object.fromEntries(changed.map(([name, value]) => [name, value ?? null]));
}
