import type { Pet } from "../../../pets/contract.ts";
import { EditDialog } from "../components/edit-dialog.tsx";
import type { Versioned } from "../request.ts";
import { checkPet, PetFields, petFrom } from "./pet-fields.tsx";
import { PET_KIND } from "./pet-kind.tsx";

interface EditPetProps {
  readonly opened: Versioned<Pet>;
  readonly onClose: () => void;
}

export function EditPet(props: EditPetProps) {
  return (
    <EditDialog
      {...props}
      kind={PET_KIND}
      valuesOf={({ name, categoryId, status, externalId }) => ({
        name,
        categoryId: String(categoryId),
        status: status ?? "",
        externalId: externalId ?? "",
      })}
      bodyOf={petFrom}
      check={checkPet}
      fields={PetFields}
    />
  );
}
