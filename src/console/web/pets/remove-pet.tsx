import type { Pet } from "../../../pets/contract.ts";
import { announce } from "../components/announce.tsx";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { shortName } from "../components/long-text.tsx";
import { call } from "../request.ts";

interface RemoveAnimalProps {
  readonly pet: Pet;
  readonly onRemoved: () => void | Promise<void>;
  readonly onClose: () => void;
}

export function RemoveAnimal({ pet, onRemoved, onClose }: RemoveAnimalProps) {
  const name = shortName(pet.name, `animal ${pet.id}`);
  async function remove(): Promise<void> {
    await call("DELETE", `/pets/${pet.id}`);
    announce(`${name} removed`);
    await onRemoved();
  }
  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      action="Remove"
      retreat="Keep"
      onConfirm={remove}
      onClose={onClose}
    >
      <p>The animal and its number {String(pet.id)} will be gone for good.</p>
    </ConfirmDialog>
  );
}
