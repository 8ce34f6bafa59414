import { signal, useSignal } from "@preact/signals";
import type { Int64 } from "exact-json/int64";
import { useEffect, useRef } from "preact/hooks";
import type { Pet } from "../../../pets/contract.ts";
import { mayChange } from "../account/session.ts";
import { useKeepFocus } from "../components/keep-focus.ts";
import { lazy } from "../components/lazy.tsx";
import { endSale, type Sale, saleName, sales, sell, undoSale } from "./sales.ts";

const OpenOrder = lazy(async () => (await import("../orders/order-actions.tsx")).OpenOrder);

/** Animals whose sale is shown next to them; other sales are shown at the end of the page. */
const inPlace = signal<ReadonlySet<Int64>>(new Set());

interface SellButtonProps {
  readonly pet: Pet;
  readonly look?: "link" | "secondary";
  readonly onChanged: () => void | Promise<void>;
}

/** Sells an available animal with one click, and offers Undo for 10 seconds. */
export function SellButton({ pet, look = "link", onChanged }: SellButtonProps) {
  const sale = sales.value.get(pet.id);
  const place = useKeepFocus<HTMLDivElement>();
  useEffect(() => {
    inPlace.value = new Set([...inPlace.value, pet.id]);
    return () => {
      inPlace.value = new Set([...inPlace.value].filter((id) => id !== pet.id));
    };
  }, [pet.id]);
  const outcome = `${sale?.order?.id} ${sale?.failure?.text}`;
  const before = useRef(outcome);
  useEffect(() => {
    if (before.current !== outcome) void onChanged();
    before.current = outcome;
  }, [outcome]);
  if (!mayChange.value) return null;
  const isSelling = sale?.isBusy && sale.order === undefined;
  return (
    <div {...place}>
      {sale && !isSelling && <SaleNote sale={sale} />}
      {(isSelling || (!sale && pet.status === "available")) && (
        <button
          type="button"
          class={look}
          data-key="s"
          aria-label={`Sell ${saleName(pet)}`}
          disabled={isSelling}
          onClick={() => void sell(pet)}
        >
          Sell
        </button>
      )}
      {!sale && pet.status === "pending" && (
        <PendingPet pet={pet} isOpen={look === "secondary"} onChanged={onChanged} />
      )}
    </div>
  );
}

interface PendingPetProps {
  readonly pet: Pet;
  /** True to read the animal's order without a click. */
  readonly isOpen: boolean;
  readonly onChanged: () => void | Promise<void>;
}

function PendingPet({ pet, isOpen, onChanged }: PendingPetProps) {
  const isAsked = useSignal(isOpen);
  if (isAsked.value) return <OpenOrder pet={pet} onChanged={onChanged} />;
  return (
    <button
      type="button"
      class="link"
      aria-label={`Complete the order of ${saleName(pet)}`}
      onClick={() => {
        isAsked.value = true;
      }}
    >
      Complete…
    </button>
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
