import { parseInt64 } from "exact-json/int64";
import type { Order } from "../../../orders/contract.ts";
import { announce } from "../components/announce.tsx";
import { TextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { useForm } from "../components/form-state.ts";
import { PetCombobox } from "../pets/pet-combobox.tsx";
import { navigate } from "../router.ts";
import { shipDateFrom } from "./ship-date.tsx";

interface PlaceOrderProps {
  /** The number of the animal to order; empty where it is still to be chosen. */
  readonly animal: string;
  readonly onPlaced: () => Promise<void>;
}

export function PlaceOrder({ animal, onPlaced }: PlaceOrderProps) {
  const form = useForm<"petId" | "shipDate">({
    // A draft is for one animal.
    id: animal === "" ? "new-order" : `new-order-${animal}`,
    initial: { petId: animal, shipDate: "" },
    check: ({ petId }) => (parseInt64(petId) === undefined ? { petId: "is required" } : {}),
    async send({ petId, shipDate }, create) {
      const body = { petId: parseInt64(petId), shipDate: shipDateFrom(shipDate) };
      const order = await create<Order>("/store/orders", body);
      announce(`Order ${order.id} placed`);
      if (animal !== "") navigate("/orders", { replace: true });
      else document.getElementById("new-order-petId")?.focus();
      void onPlaced();
      return undefined;
    },
  });
  const problem = form.problems["petId"];
  return (
    <section class="card">
      <h2>New order</h2>
      <Form form={form} label="Place an order" submitLabel="Place order" busyLabel="Placing…">
        <PetCombobox
          id={`${form.id}-petId`}
          value={form.values.petId}
          onSelect={(value) => form.set("petId", value)}
          problem={problem && `Animal ${problem}`}
        />
        <TextField form={form} name="shipDate" label="Ship date" type="date" isOptional />
      </Form>
    </section>
  );
}
