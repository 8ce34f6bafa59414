import type { Pet } from "../../../pets/contract.ts";
import { RemoveDialog } from "../components/remove-dialog.tsx";
import type { Versioned } from "../request.ts";
import { PET_KIND } from "./pet-kind.tsx";

interface RemovePetProps {
  readonly pet: Versioned<Pet>;
  readonly onDeleted: () => void | Promise<void>;
  readonly onClose: () => void;
}

export function RemovePet({ pet, ...listeners }: RemovePetProps) {
  return <RemoveDialog kind={PET_KIND} resource={pet} {...listeners} />;
}
