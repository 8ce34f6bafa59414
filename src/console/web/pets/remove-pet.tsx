import type { Pet } from "../../../pets/contract.ts";
import { DeleteDialog, type DeleteListeners } from "../components/delete-dialog.tsx";
import { shortName } from "../components/long-text.tsx";

export function RemovePet({ pet, ...listeners }: DeleteListeners & { readonly pet: Pet }) {
  const name = shortName(pet.name, `animal ${pet.id}`);
  return (
    <DeleteDialog
      title={`Remove ${name}?`}
      path={`/pets/${pet.id}`}
      outcome={`${name} removed`}
      confirmLabel="Remove"
      cancelLabel="Keep"
      {...listeners}
    >
      <p>The animal is removed for good. Its number {String(pet.id)} is not used again.</p>
    </DeleteDialog>
  );
}
