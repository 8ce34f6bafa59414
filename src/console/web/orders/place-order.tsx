import { type Int64, parseInt64 } from "../../../../client/src/int64.ts";
import type { Order } from "../../../orders/contract.ts";
import type { Pet } from "../../../pets/contract.ts";
import { announce } from "../components/announce.tsx";
import { TextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { type Problems, useForm, type Values } from "../components/form-state.ts";
import { shortName } from "../components/long-text.tsx";
import { callPage } from "../request.ts";
import { navigate } from "../router.ts";
import { useLoad } from "../use-load.ts";
import { shipDateFrom } from "./ship-date.tsx";

type OrderField = "petId" | "shipDate";

const LIST_ID = "available-pets";

interface PlaceOrderProps {
  /** The number of the animal to order; empty where it is still to be chosen. */
  readonly animal: string;
  readonly onPlaced: () => Promise<void>;
}

export function PlaceOrder({ animal, onPlaced }: PlaceOrderProps) {
  const available = useLoad(readAvailable);
  const pets = available.value ?? [];
  const form = useForm<OrderField>({
    // A draft is for one animal.
    id: animal === "" ? "new-order" : `new-order-${animal}`,
    initial: { petId: animal, shipDate: "" },
    check: (values) => checkOrder(values, pets),
    async send({ petId, shipDate }, create) {
      const order = await create<Order>("/store/orders", {
        petId: petIdFrom(petId, pets),
        shipDate: shipDateFrom(shipDate),
      });
      announce(`Order ${order.id} placed`);
      if (animal !== "") navigate("/orders", { replace: true });
      else document.getElementById("new-order-petId")?.focus();
      void onPlaced();
      void available.reload();
      return undefined;
    },
  });
  const chosen = pets.find(({ id }) => id === petIdFrom(form.values.petId, pets));
  return (
    <section class="card">
      <h2>New order</h2>
      <Form form={form} label="Place an order" submitLabel="Place order" busyLabel="Placing…">
        <TextField
          form={form}
          name="petId"
          label="Animal"
          list={LIST_ID}
          hint={petHint(chosen, available.value)}
        />
        <datalist id={LIST_ID}>
          {pets.map(({ id, name }) => (
            <option key={String(id)} value={String(id)}>
              {shortName(name, "No name")}
            </option>
          ))}
        </datalist>
        <TextField form={form} name="shipDate" label="Ship date" type="date" isOptional />
      </Form>
    </section>
  );
}

async function readAvailable(signal: AbortSignal): Promise<readonly Pet[]> {
  return (await callPage<Pet>("/pets", { query: { status: "available", limit: "100" }, signal })).items;
}

/** The number typed, or that of the only available animal with the name typed. */
function petIdFrom(text: string, pets: readonly Pet[]): Int64 | undefined {
  const typed = text.trim();
  const id = parseInt64(typed);
  if (id !== undefined) return id;
  if (typed === "") return undefined;
  const named = pets.filter(({ name }) => name.trim().toLowerCase() === typed.toLowerCase());
  return named.length === 1 ? named[0]?.id : undefined;
}

function checkOrder({ petId }: Values<OrderField>, pets: readonly Pet[]): Problems {
  const isNamed = petId.trim() !== "";
  return {
    ...(petIdFrom(petId, pets) === undefined && {
      petId: isNamed
        ? "must be an animal's number, or the name of exactly one available animal"
        : "is required",
    }),
  };
}

function petHint(chosen: Pet | undefined, pets: readonly Pet[] | undefined) {
  if (chosen !== undefined)
    return <span dir="auto">{`${shortName(chosen.name, "No name")}, number ${chosen.id}`}</span>;
  if (pets?.length === 0) return "No animal is available. Add one, or set one's status to available.";
  return "The animal's number or name. Available animals are suggested as you type.";
}
