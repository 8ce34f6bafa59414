import { signal } from "@preact/signals";
import type { Int64 } from "exact-json/int64";
import { useEffect } from "preact/hooks";
import type { Order } from "../../../orders/contract.ts";
import type { Pet } from "../../../pets/contract.ts";
import { mayChange } from "../account/session.ts";
import { useKeepFocus } from "../components/keep-focus.ts";
import { completeOrder, endSale, type Sale, type SoldPet, saleName, sales, sell, undoSale } from "./sales.ts";

/** Animals whose sale is shown next to them; other sales are shown at the end of the page. */
const inPlace = signal<ReadonlySet<Int64>>(new Set());

interface SellButtonProps {
  readonly pet: SoldPet & Pick<Pet, "status">;
  /** Open order of a pending animal; read when it is completed, if left out. */
  readonly order?: Order;
  readonly look?: "link" | "secondary";
}

/** Sells an available animal, or completes the order of a pending one, with one click, and offers Undo for 10 seconds. */
export function SellButton({ pet, order, look = "link" }: SellButtonProps) {
  const sale = sales.value.get(pet.id);
  const place = useKeepFocus<HTMLDivElement>();
  useEffect(() => {
    inPlace.value = new Set([...inPlace.value, pet.id]);
    return () => {
      inPlace.value = new Set([...inPlace.value].filter((id) => id !== pet.id));
    };
  }, [pet.id]);
  if (!mayChange.value) return null;
  const isStarting = sale?.isBusy && sale.order === undefined;
  const isOrdered = sale ? sale.isOrdered : pet.status === "pending";
  return (
    <div {...place}>
      {sale && !isStarting && <SaleNote sale={sale} />}
      {(isStarting || (!sale && (isOrdered || pet.status === "available"))) && (
        <button
          type="button"
          class={look}
          data-key={isOrdered ? "c" : "s"}
          aria-label={`${isOrdered ? "Complete the order of" : "Sell"} ${saleName(pet)}`}
          disabled={isStarting}
          onClick={() => void (isOrdered ? completeOrder(pet, order) : sell(pet))}
        >
          {isOrdered ? "Complete" : "Sell"}
        </button>
      )}
    </div>
  );
}

function SaleNote({ sale }: { readonly sale: Sale }) {
  const { pet, order, isBusy, failure } = sale;
  const { retry } = failure ?? {};
  return (
    <span class="sale">
      <span dir="auto" role={failure && "alert"} class={failure && "problem"}>
        {failure?.text ?? `Sold ${saleName(pet)}`}
      </span>
      {retry && (
        <button type="button" class="link" onClick={() => void retry()}>
          Try again
        </button>
      )}
      {failure ? (
        <button type="button" class="link" onClick={() => endSale(sale)}>
          Dismiss
        </button>
      ) : (
        <button
          type="button"
          class="link"
          data-key="u"
          aria-label={`Undo the sale of ${saleName(pet)}`}
          disabled={isBusy || order === undefined}
          // The second click of a double click on Sell is ignored.
          onClick={({ detail }) => detail < 2 && void undoSale(sale)}
        >
          Undo
        </button>
      )}
    </span>
  );
}

/** Sales of animals that are no longer on the page. */
export function SalesElsewhere() {
  const elsewhere = [...sales.value.values()].filter(({ pet }) => !inPlace.value.has(pet.id));
  if (elsewhere.length === 0) return null;
  return (
    <section class="toast sales" aria-label="Sales">
      {elsewhere.map((sale) => (
        <p key={String(sale.pet.id)}>
          <SaleNote sale={sale} />
        </p>
      ))}
    </section>
  );
}
