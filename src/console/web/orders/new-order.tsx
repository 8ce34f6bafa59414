import { parseInt64 } from "exact-json/int64";
import type { Order } from "../../../orders/contract.ts";
import { announce } from "../components/announce.tsx";
import { finishDialog } from "../components/dialog.tsx";
import { TextField } from "../components/field.tsx";
import { FormDialog } from "../components/form-dialog.tsx";
import { useForm } from "../components/form-state.ts";
import { PetCombobox } from "../pets/pet-combobox.tsx";
import { shipDateFrom } from "./ship-date.tsx";

/**
 * The form for a new order.
 *
 * @param animal the number of the animal to order, or an empty string if none is chosen yet
 */
export function NewOrder({ animal }: { readonly animal: string }) {
  const form = useForm<"petId" | "shipDate">({
    // The unsaved form is stored separately for each animal.
    id: animal === "" ? "new-order" : `new-order-${animal}`,
    initial: { petId: animal, shipDate: "" },
    check: ({ petId }) => (parseInt64(petId) === undefined ? { petId: "is required" } : {}),
    async send({ petId, shipDate }, create) {
      const body = { petId: parseInt64(petId), shipDate: shipDateFrom(shipDate) };
      const order = await create<Order>("/store/orders", body);
      announce(`Order ${order.id} placed`);
      finishDialog();
    },
  });
  const problem = form.problems["petId"];
  return (
    <FormDialog title="New order" form={form} submitLabel="Place order">
      <PetCombobox
        id={`${form.id}-petId`}
        value={form.values.petId}
        onSelect={(value) => form.set("petId", value)}
        problem={problem && `Animal ${problem}`}
      />
      <TextField form={form} name="shipDate" label="Ship date" type="date" isOptional />
    </FormDialog>
  );
}
