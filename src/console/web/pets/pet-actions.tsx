import type { ComponentChildren } from "preact";
import type { Pet } from "../../../pets/contract.ts";
import { announce } from "../components/announce.tsx";
import { Menu } from "../components/menu.tsx";
import { call, type Versioned } from "../request.ts";
import { toPetstoreError } from "../request-error.ts";
import { hasNoOrder } from "./open-orders.ts";
import { looksSold, saleName } from "./sales.ts";
import { SellButton } from "./sell-button.tsx";

interface PetActionsProps {
  readonly pet: Versioned<Pet>;
  readonly onRemove: (pet: Versioned<Pet>) => void;
  /** A button that opens the animal's form. If it is left out, the menu links to the animal's page. */
  readonly children?: ComponentChildren;
}

export function PetActions({ pet, onRemove, children }: PetActionsProps) {
  return (
    <SellButton pet={pet} isPrimary={children !== undefined}>
      {children}
      <Menu label={`More for ${saleName(pet)}`}>
        {pet.status === "available" && !looksSold(pet) && <a href={`/orders?animal=${pet.id}`}>Order…</a>}
        {pet.status === "pending" && !looksSold(pet) && hasNoOrder(pet) && (
          <button type="button" onClick={() => void makeAvailable(pet)}>
            Make available
          </button>
        )}
        {children === undefined && <a href={`/animals/${pet.id}`}>Edit and history</a>}
        <button type="button" onClick={() => onRemove(pet)}>
          Remove…
        </button>
      </Menu>
    </SellButton>
  );
}

/** Ends the reservation of a pending animal that has no order. */
async function makeAvailable(pet: Versioned<Pet>) {
  try {
    await call("PATCH", `/pets/${pet.id}`, { body: { status: "available" }, ifMatch: pet.etag });
    announce(`${saleName(pet)} is available`);
  } catch (error) {
    announce(`${saleName(pet)} was not changed. ${toPetstoreError(error).message}`);
  }
}
