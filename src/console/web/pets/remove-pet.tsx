import type { Pet } from "../../../pets/contract.ts";
import { announce } from "../components/announce.tsx";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { shortName } from "../components/long-text.tsx";
import { call } from "../request.ts";

interface RemovePetProps {
  readonly pet: Pet;
  readonly onRemoved: () => void | Promise<void>;
  readonly onClose: () => void;
}

export function RemovePet({ pet, onRemoved, onClose }: RemovePetProps) {
  const name = shortName(pet.name, `animal ${pet.id}`);
  async function remove(): Promise<void> {
    await call("DELETE", `/pets/${pet.id}`);
    announce(`${name} removed`);
    await onRemoved();
  }
  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      confirmLabel="Remove"
      cancelLabel="Keep"
      onConfirm={remove}
      onClose={onClose}
    >
      <p>The animal is removed for good. Its number {String(pet.id)} is not used again.</p>
    </ConfirmDialog>
  );
}
