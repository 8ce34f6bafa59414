import { useSignal } from "@preact/signals";
import type { Pet } from "../../../pets/contract.ts";
import { type CategoryNames, readCategoryNames } from "../categories/known-categories.ts";
import { announce } from "../components/announce.tsx";
import { Empty } from "../components/empty.tsx";
import { Form } from "../components/form.tsx";
import { useForm, type Values } from "../components/form-state.ts";
import { Loading } from "../components/loading.tsx";
import { shortName } from "../components/long-text.tsx";
import { Screen } from "../components/screen.tsx";
import { call, callPage } from "../request.ts";
import { navigate } from "../router.ts";
import { useLoad } from "../use-load.ts";
import { type AnimalField, AnimalFields, categoryOf, checkAnimal } from "./pet-fields.tsx";
import { RemoveAnimal } from "./remove-pet.tsx";

export function EditAnimal({ id }: { readonly id: string }) {
  const categories = useLoad(readCategoryNames);
  const pets = useLoad((signal) => callPage<Pet>("/pets", { query: { id }, signal }), [id]);
  const pet = pets.value?.items[0];
  const title = pet === undefined ? `Animal ${id}` : shortName(pet.name, `Animal ${id}`);
  return (
    <Screen title={title} actions={<a href="/animals">All animals</a>}>
      <Loading loaded={pets} what="the animal">
        {({ items: [found] }) =>
          found === undefined ? (
            <Empty title="There is no such animal.">
              <p>
                It may have been removed. <a href="/animals">Look through all animals</a>.
              </p>
            </Empty>
          ) : (
            <AnimalCard pet={found} categories={categories.value} onSaved={pets.reload} />
          )
        }
      </Loading>
    </Screen>
  );
}

interface AnimalCardProps {
  readonly pet: Pet;
  readonly categories: CategoryNames | undefined;
  readonly onSaved: () => Promise<void>;
}

function AnimalCard({ pet, categories, onSaved }: AnimalCardProps) {
  const isRemoving = useSignal(false);
  const initial = valuesOf(pet);
  const form = useForm<AnimalField>({
    id: `animal-${pet.id}`,
    initial,
    check: (values) =>
      values.name === pet.name ? checkAnimal({ ...values, name: "unchanged" }) : checkAnimal(values),
    async send(values) {
      const saved = await call<Pet>("PATCH", `/pets/${pet.id}`, { body: changesOf(values, initial) });
      announce(`${shortName(saved.name, `Animal ${pet.id}`)} saved`);
      document.querySelector("h1")?.focus();
      await onSaved();
      return valuesOf(saved);
    },
  });
  const remove = (
    <button
      type="button"
      class="secondary"
      onClick={() => {
        isRemoving.value = true;
      }}
    >
      Remove…
    </button>
  );
  return (
    <section class="card narrow">
      <p class="muted">Number {String(pet.id)}</p>
      <Form form={form} label="Edit animal" submitLabel="Save changes" busyLabel="Saving…" actions={remove}>
        <AnimalFields form={form} categories={categories} />
      </Form>
      {isRemoving.value && (
        <RemoveAnimal
          pet={pet}
          onRemoved={() => navigate("/animals", { replace: true })}
          onClose={() => {
            isRemoving.value = false;
          }}
        />
      )}
    </section>
  );
}

function valuesOf({ name, categoryId, status }: Pet): Values<AnimalField> {
  return { name, categoryId: String(categoryId), status: status ?? "" };
}

/** Only what was changed is sent: what a field cannot show in full stays as it is. */
function changesOf(values: Values<AnimalField>, initial: Values<AnimalField>): Record<string, unknown> {
  return {
    ...(values.name !== initial.name && { name: values.name }),
    ...(values.categoryId !== initial.categoryId && { categoryId: categoryOf(values) }),
    ...(values.status !== initial.status && { status: values.status === "" ? null : values.status }),
  };
}
