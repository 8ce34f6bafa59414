import type { Pet } from "../../../pets/contract.ts";
import { type CategoryNames, readCategoryNames } from "../categories/known-categories.tsx";
import { announce } from "../components/announce.tsx";
import { useDialog } from "../components/dialog.tsx";
import { Empty } from "../components/empty.tsx";
import { Form } from "../components/form.tsx";
import { typedOver, useForm, type Values } from "../components/form-state.ts";
import { Loading } from "../components/loading.tsx";
import { shortName } from "../components/long-text.tsx";
import { Screen } from "../components/screen.tsx";
import { callPage, type Versioned } from "../request.ts";
import { navigate } from "../router.ts";
import { useLoad } from "../use-load.ts";
import { useVersion } from "../use-version.ts";
import { PetError, readPet } from "./pet-error.tsx";
import { checkPet, type PetField, PetFields, petFrom } from "./pet-fields.tsx";
import { RemovePet } from "./remove-pet.tsx";

export function EditPet({ id }: { readonly id: string }) {
  const categories = useLoad(readCategoryNames);
  const pets = useLoad((signal) => callPage<Versioned<Pet>>("/pets", { query: { id }, signal }), [id]);
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
            <PetCard pet={found} categories={categories.value} reload={pets.reload} />
          )
        }
      </Loading>
    </Screen>
  );
}

interface PetCardProps {
  readonly pet: Versioned<Pet>;
  readonly categories: CategoryNames | undefined;
  readonly reload: () => Promise<void>;
}

function PetCard({ pet, categories, reload }: PetCardProps) {
  const removing = useDialog<true>();
  const version = useVersion<Pet>(pet, {
    read: () => readPet(pet),
    onConflict({ before, now }) {
      form.rebase(valuesOf(before), valuesOf(now));
      void reload();
    },
  });
  const initial = valuesOf(version.seen);
  const form = useForm<PetField>({
    id: `pet-${pet.id}`,
    initial,
    check: (values) =>
      values.name === initial.name ? checkPet({ ...values, name: "unchanged" }) : checkPet(values),
    async send(values) {
      const body = changesOf(values, initial);
      const saved = await version.change<Pet>("PATCH", `/pets/${pet.id}`, { body });
      announce(`${shortName(saved.name, `Animal ${pet.id}`)} saved`);
      document.querySelector("h1")?.focus();
      await reload();
      return valuesOf(saved);
    },
  });
  function takeCurrent(): void {
    form.reset(initial);
    document.querySelector("h1")?.focus();
  }
  const remove = (
    <button type="button" class="secondary" onClick={() => removing.open(true)}>
      Remove…
    </button>
  );
  return (
    <section class="card narrow">
      <p class="muted">Number {String(pet.id)}</p>
      <Form
        form={form}
        label="Edit animal"
        submitLabel={form.error?.code === "precondition_failed" ? "Save over it" : "Save changes"}
        busyLabel="Saving…"
        explain={(error) => (
          <PetError pet={pet} error={error} conflict={version.conflict}>
            <p>What you typed is still here: save over it, or take the current values.</p>
            <button type="button" class="secondary" onClick={takeCurrent}>
              Take the current values
            </button>
          </PetError>
        )}
        actions={remove}
      >
        <PetFields form={form} categories={categories} />
      </Form>
      {removing.subject && (
        <RemovePet
          pet={version.seen}
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
function changesOf(values: Values<PetField>, initial: Values<PetField>) {
  const typed = typedOver(initial, values);
  const changed = Object.entries(petFrom(values)).filter(([name]) => name in typed);
  return Object.fromEntries(changed.map(([name, value]) => [name, value ?? null]));
}
