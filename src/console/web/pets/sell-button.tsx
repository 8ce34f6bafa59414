import { signal } from "@preact/signals";
import type { Int64 } from "exact-json/int64";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Order } from "../../../orders/contract.ts";
import type { Pet } from "../../../pets/contract.ts";
import { mayChange } from "../account/session.ts";
import { useKeepFocus } from "../components/keep-focus.ts";
import { completeOrder, endSale, type Sale, type SoldPet, saleName, sales, sell, undoSale } from "./sales.ts";

/** Animals whose sale is shown next to them; other sales are shown at the end of the page. */
const inPlace = signal<ReadonlySet<Int64>>(new Set());

type ShownPet = SoldPet & Pick<Pet, "status">;

/** Rows whose sale has ended: they look sold until the list has been read again, and has other objects. */
const sold = new WeakSet<object>();

/** True during an animal's sale, and after it until its row is read again. */
export function looksSold({ id }: SoldPet, row: object): boolean {
  const sale = sales.value.get(id);
  if (sale?.failure) sold.delete(row);
  else if (sale?.order) sold.add(row);
  return sold.has(row);
}

interface SellButtonProps {
  readonly pet: ShownPet;
  /** Open order of a pending animal; read when it is completed, if left out. */
  readonly order?: Order;
  readonly onChanged?: () => void | Promise<void>;
  /** Controls after the button; they get its focus when it is gone. */
  readonly children?: ComponentChildren;
}

/** Sells an available animal, or completes the order of a pending one, with one click, and offers Undo for 10 seconds. */
export function SellButton({ pet, order, onChanged, children }: SellButtonProps) {
  const place = useKeepFocus<HTMLDivElement>();
  useEffect(() => {
    inPlace.value = new Set([...inPlace.value, pet.id]);
    return () => {
      inPlace.value = new Set([...inPlace.value].filter((id) => id !== pet.id));
    };
  }, [pet.id]);
  const sale = sales.value.get(pet.id);
  const outcome = `${sale?.order?.id} ${sale?.failure?.text}`;
  const before = useRef(outcome);
  useEffect(() => {
    if (before.current !== outcome) void onChanged?.();
    before.current = outcome;
  }, [outcome]);
  const action = mayChange.value && actionOf(pet, order);
  return (
    <div class="sale" {...place}>
      {action && <SaleButton {...action} />}
      {children}
    </div>
  );
}

interface SaleAction {
  readonly word: string;
  /** Accessible name. */
  readonly label: string;
  /** Key that presses the button while its row has the focus. */
  readonly shortcut: string;
  readonly isBusy: boolean;
  readonly act: () => Promise<void>;
}

function actionOf(pet: ShownPet, order: Order | undefined): SaleAction | undefined {
  const name = saleName(pet);
  const sale = sales.value.get(pet.id);
  const isBusy = sale?.isBusy ?? false;
  // After the sale, the button stays until the row has been read again: it may become Sell, and keeps the focus.
  if (looksSold(pet, order ?? pet)) return undoing(pet, sale);
  if (pet.status === "available")
    return { word: "Sell", label: `Sell ${name}`, shortcut: "s", isBusy, act: () => sell(pet) };
  if (pet.status !== "pending") return undefined;
  const act = () => completeOrder(pet, order);
  return { word: "Complete", label: `Complete the order of ${name}`, shortcut: "c", isBusy, act };
}

function undoing(pet: SoldPet, sale: Sale | undefined): SaleAction {
  return {
    word: "Undo",
    label: `Undo the sale of ${saleName(pet)}`,
    shortcut: "u",
    isBusy: sale?.order === undefined || sale.isBusy,
    act: async () => void (sale && (await undoSale(sale))),
  };
}

interface SaleButtonProps extends SaleAction {
  readonly look?: "secondary" | "link";
}

/** One element for all of an animal's actions, so that the focus stays on it. */
function SaleButton({ word, label, shortcut, act, isBusy, look = "secondary" }: SaleButtonProps) {
  return (
    <button
      type="button"
      class={look}
      aria-label={label}
      aria-disabled={isBusy}
      data-key={shortcut}
      // The second click of a double click on Sell does not undo the sale.
      onClick={({ detail }) => !isBusy && (word !== "Undo" || detail < 2) && void act()}
    >
      {word}
    </button>
  );
}

/** Sales that failed, and those of animals that are no longer on the page. */
export function SalesElsewhere() {
  const shown = [...sales.value.values()].filter(({ pet, failure }) => failure || !inPlace.value.has(pet.id));
  if (shown.length === 0) return null;
  return (
    <section class="toast sales" aria-label="Sales">
      {shown.map((sale) => (
        <SaleNote key={String(sale.pet.id)} sale={sale} />
      ))}
    </section>
  );
}

function SaleNote({ sale }: { readonly sale: Sale }) {
  const { pet, failure } = sale;
  const { retry } = failure ?? {};
  return (
    <p>
      <span dir="auto" role={failure && "alert"} class={failure && "problem"}>
        {failure?.text ?? `Sold ${saleName(pet)}`}
      </span>
      {!failure && <SaleButton {...undoing(pet, sale)} look="link" />}
      {retry && (
        <button type="button" class="link" onClick={() => void retry()}>
          Try again
        </button>
      )}
      {failure && (
        <button type="button" class="link" onClick={() => endSale(sale)}>
          Dismiss
        </button>
      )}
    </p>
  );
}
