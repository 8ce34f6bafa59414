import type { Pet } from "../../../pets/contract.ts";
import { DeleteDialog, type DeleteListeners } from "../components/delete-dialog.tsx";
import { shortName } from "../components/long-text.tsx";
import type { Versioned } from "../request.ts";
import { useVersion } from "../use-version.ts";
import { PetError, readPet } from "./pet-error.tsx";

interface RemovePetProps extends DeleteListeners {
  readonly pet: Versioned<Pet>;
}

export function RemovePet({ pet, ...listeners }: RemovePetProps) {
  const version = useVersion<Pet>(pet, { read: () => readPet(pet) });
  const name = shortName(pet.name, `animal ${pet.id}`);
  return (
    <DeleteDialog
      title={`Remove ${name}?`}
      path={`/pets/${pet.id}`}
      change={version.change}
      outcome={`${name} removed`}
      confirmLabel={version.conflict ? "Remove anyway" : "Remove"}
      cancelLabel="Keep"
      explain={(error) => (
        <PetError pet={pet} error={error} conflict={version.conflict}>
          <p>Remove it anyway, or keep it.</p>
        </PetError>
      )}
      {...listeners}
    >
      <p>The animal is removed for good. Its number {String(pet.id)} is not used again.</p>
    </DeleteDialog>
  );
}
