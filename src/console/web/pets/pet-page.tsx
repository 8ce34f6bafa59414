import { parseInt64 } from "exact-json/int64";
import type { Pet } from "../../../pets/contract.ts";
import { mayChange } from "../account/session.ts";
import { categoryName } from "../categories/category-names.ts";
import { useCategoryNames } from "../categories/known-categories.ts";
import { useDialog } from "../components/dialog.tsx";
import { EditDialog } from "../components/edit-dialog.tsx";
import { Empty } from "../components/empty.tsx";
import { Loading } from "../components/loading.tsx";
import { shortName, visibleText } from "../components/long-text.tsx";
import { Screen } from "../components/screen.tsx";
import { draftOf } from "../components/use-edit.ts";
import { History } from "../events/history.tsx";
import { useLive } from "../events/live.ts";
import type { Versioned } from "../request.ts";
import { navigate } from "../router.ts";
import { useLoad } from "../use-load.ts";
import { AllAnimalsLink } from "./all-animals-link.tsx";
import { useOpenOrders } from "./open-orders.ts";
import { PetActions } from "./pet-actions.tsx";
import { checkPet, PetFields, petFrom } from "./pet-fields.tsx";
import { PET_KIND } from "./pet-kind.tsx";
import { StatusBadge } from "./pet-status.tsx";
import { RemovePet } from "./remove-pet.tsx";
import { shownStatus } from "./sales.ts";
import { readPets } from "./use-pets.ts";

const HISTORY_PAGE = 10;
const TOPICS = ["pet", "order"] as const;

export function PetPage({ id }: { readonly id: string }) {
  const isNumber = parseInt64(id) !== undefined;
  const read = async (signal?: AbortSignal) =>
    isNumber ? await readPets({ id }, { count: 1, signal }) : { items: [], next: undefined };
  const pets = useLoad(read, [id]);
  useLive(["pet"], async (changes) => {
    if (changes?.every(({ data }) => String(data.id) !== id)) return;
    const fresh = await read();
    pets.update(() => fresh);
  });
  const pet = pets.value?.items[0];
  const title = pet === undefined ? `Animal ${id}` : shortName(pet.name, `Animal ${id}`);
  return (
    <Screen title={title} within="Animals" actions={<AllAnimalsLink />}>
      <Loading loaded={pets} what="the animal">
        {({ items: [found] }) => <LoadedPet pet={found} />}
      </Loading>
    </Screen>
  );
}

/** An open form stays when its animal is removed. */
function LoadedPet({ pet }: { readonly pet: Versioned<Pet> | undefined }) {
  const editing = useDialog<Versioned<Pet>>(pet && draftOf(PET_KIND.noun, pet));
  const removing = useDialog<Versioned<Pet>>();
  return (
    <>
      {pet === undefined ? (
        <Empty title="No animal has this number.">
          <p>
            It may have been removed. <a href="/animals">See all animals</a>.
          </p>
        </Empty>
      ) : (
        <div class="stack">
          <PetCard pet={pet} onEdit={editing.open} onRemove={removing.open} />
          <History
            heading="History"
            empty="No history yet"
            petId={pet.id}
            limit={HISTORY_PAGE}
            topics={TOPICS}
          />
        </div>
      )}
      {editing.subject && (
        <EditDialog
          kind={PET_KIND}
          opened={editing.subject}
          valuesOf={({ name, categoryId, status, externalId }) => ({
            name,
            categoryId: String(categoryId),
            status: status ?? "",
            externalId: externalId ?? "",
          })}
          bodyOf={petFrom}
          check={checkPet}
          fields={PetFields}
          onClose={editing.close}
        />
      )}
      {removing.subject && (
        <RemovePet
          pet={removing.subject}
          onDeleted={() => navigate("/animals", { replace: true })}
          onClose={removing.close}
        />
      )}
    </>
  );
}

interface PetCardProps {
  readonly pet: Versioned<Pet>;
  readonly onEdit: (pet: Versioned<Pet>) => void;
  readonly onRemove: (pet: Versioned<Pet>) => void;
}

function PetCard({ pet, onEdit, onRemove }: PetCardProps) {
  useCategoryNames();
  useOpenOrders([pet]);
  const { id, categoryId, externalId } = pet;
  return (
    <section class="card" aria-label="Animal">
      <p translate={false}>
        <StatusBadge status={shownStatus(pet)} /> Number {String(id)} ·{" "}
        <a href={`/animals?category=${categoryId}`} dir="auto">
          {categoryName(String(categoryId))}
        </a>
        {externalId !== undefined && (
          <>
            {" "}
            · Own number <bdi>{visibleText(externalId)}</bdi>
          </>
        )}
      </p>
      {mayChange.value && (
        <div class="actions">
          <PetActions pet={pet} onRemove={onRemove}>
            <button type="button" class="secondary" onClick={() => onEdit(pet)}>
              Edit
            </button>
          </PetActions>
        </div>
      )}
    </section>
  );
}
