import { parseInt64 } from "exact-json/int64";
import type { Pet } from "../../../pets/contract.ts";
import { mayChange } from "../account/session.ts";
import { useCategoryNames } from "../categories/known-categories.ts";
import { useDialog } from "../components/dialog.tsx";
import { EditForm } from "../components/edit-form.tsx";
import { Empty } from "../components/empty.tsx";
import { Loading } from "../components/loading.tsx";
import { shortName } from "../components/long-text.tsx";
import { RemoveDialog } from "../components/remove-dialog.tsx";
import { Screen } from "../components/screen.tsx";
import { useEdit } from "../components/use-edit.ts";
import { History } from "../events/history.tsx";
import { useLive } from "../events/live.ts";
import { callPage, type Page, type Versioned } from "../request.ts";
import { navigate } from "../router.ts";
import { useLoad } from "../use-load.ts";
import { AllAnimalsLink } from "./all-animals-link.tsx";
import { checkPet, type PetField, PetFields, petFrom } from "./pet-fields.tsx";
import { PET_KIND } from "./pet-kind.tsx";
import { PetTable } from "./pet-table.tsx";
import { SellButton } from "./sell-button.tsx";

const HISTORY_PAGE = 10;
const TOPICS = ["pet", "order"] as const;

export function EditPet({ id }: { readonly id: string }) {
  const categories = useCategoryNames();
  const pets = useLoad((signal) => readPets(id, signal), [id]);
  useLive(["pet"], async (changes) => {
    // An open form loads changes only when the person asks for them.
    if (mayChange.value || changes?.every(({ data }) => String(data.id) !== id)) return;
    const fresh = await callPage<Versioned<Pet>>("/pets", { query: { id } });
    pets.update(() => fresh);
  });
  const pet = pets.value?.items[0];
  const title = pet === undefined ? `Animal ${id}` : shortName(pet.name, `Animal ${id}`);
  return (
    <Screen title={title} within="Animals" actions={<AllAnimalsLink />}>
      <Loading loaded={pets} what="the animal">
        {({ items: [found] }) =>
          found === undefined ? (
            <Empty title="No animal has this number.">
              <p>
                It may have been removed. <a href="/animals">See all animals</a>.
              </p>
            </Empty>
          ) : (
            <div class="columns">
              {mayChange.value ? (
                <PetCard pet={found} reload={pets.reload} />
              ) : (
                <PetTable pets={[found]} categories={categories} onRemove={() => {}} />
              )}
              <History
                heading="History"
                empty="No changes of this animal are kept."
                petId={found.id}
                limit={HISTORY_PAGE}
                topics={TOPICS}
              />
            </div>
          )
        }
      </Loading>
    </Screen>
  );
}

/** A page with the animal of this number, or an empty one. */
async function readPets(id: string, signal: AbortSignal): Promise<Page<Versioned<Pet>>> {
  if (parseInt64(id) === undefined) return { items: [], next: undefined };
  return await callPage<Versioned<Pet>>("/pets", { query: { id }, signal });
}

function PetCard({ pet, reload }: { readonly pet: Versioned<Pet>; readonly reload: () => Promise<void> }) {
  const removing = useDialog<true>();
  const edit = useEdit<PetField, Pet>({
    kind: PET_KIND,
    opened: pet,
    valuesOf: ({ name, categoryId, status }) => ({
      name,
      categoryId: String(categoryId),
      status: status ?? "",
    }),
    bodyOf: petFrom,
    check: checkPet,
    reload,
    onSaved: () => document.querySelector("h1")?.focus(),
  });
  const actions = (
    <>
      <SellButton pet={edit.version.seen} look="secondary" onChanged={edit.refresh} />
      <button type="button" class="secondary" onClick={() => removing.open(true)}>
        Remove…
      </button>
    </>
  );
  return (
    <section class="card">
      <p class="muted">Number {String(pet.id)}</p>
      <EditForm edit={edit} actions={actions}>
        <PetFields form={edit.form} />
      </EditForm>
      {removing.subject && (
        <RemoveDialog
          kind={PET_KIND}
          resource={edit.version.seen}
          onDeleted={() => navigate("/animals", { replace: true })}
          onClose={removing.close}
        />
      )}
    </section>
  );
}
