import { type Int64, parseInt64 } from "exact-json/int64";
import { useEffect } from "preact/hooks";
import type { Pet } from "../../../pets/contract.ts";
import { mayChange } from "../account/session.ts";
import { useDialog } from "../components/dialog.tsx";
import { draftOf } from "../components/draft.ts";
import { lazy } from "../components/lazy.tsx";
import { lazyDialog } from "../components/lazy-dialog.tsx";
import { Loading } from "../components/loading.tsx";
import { shortName } from "../components/long-text.tsx";
import { Screen } from "../components/screen.tsx";
import { History } from "../events/history.tsx";
import { useLive } from "../events/live.ts";
import { noteOpened } from "../find/recent-animals.ts";
import type { Versioned } from "../request.ts";
import { navigate } from "../router.ts";
import { useLoad } from "../use-load.ts";
import { AllAnimalsLink } from "./all-animals-link.tsx";
import { PetFacts } from "./pet-facts.tsx";
import { PutBack } from "./put-back.tsx";
import { readPets } from "./use-pets.ts";

const EditPet = lazyDialog(async () => (await import("./edit-pet.tsx")).EditPet);
const RemovePet = lazyDialog(async () => (await import("./remove-pet.tsx")).RemovePet);
const RemovedPet = lazy(async () => (await import("./removed-pet.tsx")).RemovedPet);

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
        {({ items: [found] }) => <LoadedPet id={parseInt64(id)} pet={found} />}
      </Loading>
    </Screen>
  );
}

interface LoadedPetProps {
  /** The animal's identifier in the page's address; undefined if the address does not contain a valid one. */
  readonly id: Int64 | undefined;
  readonly pet: Versioned<Pet> | undefined;
}

/** Shows an animal. If the animal is removed while its form is open, the form stays open. */
function LoadedPet({ id, pet }: LoadedPetProps) {
  useEffect(() => {
    if (pet !== undefined) noteOpened(String(pet.id));
  }, [pet?.id]);
  const editing = useDialog<Versioned<Pet>>(pet && draftOf("animal", pet));
  const removing = useDialog<Versioned<Pet>>();
  return (
    <>
      {pet === undefined ? (
        <RemovedPet id={id} />
      ) : (
        <div class="columns">
          <PetFacts pet={pet} onEdit={editing.open} onRemove={removing.open} />
          <History petId={pet.id} action={(line) => mayChange.value && <PutBack line={line} pet={pet} />} />
        </div>
      )}
      {editing.subject && <EditPet opened={editing.subject} onClose={editing.close} />}
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
