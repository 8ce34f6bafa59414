import { signal } from "@preact/signals";
import type { Int64 } from "exact-json/int64";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { Order } from "../../../orders/contract.ts";
import type { Pet } from "../../../pets/contract.ts";
import { mayChange } from "../account/session.ts";
import { useKeepFocus } from "../components/keep-focus.ts";
import { useLive } from "../events/live.ts";
import { useSettling } from "../steady-press.ts";
import { animalCount } from "./animal-count.ts";
import { hasNoOrder } from "./open-orders.ts";
import {
  completeOrder,
  endSale,
  heedCancellations,
  isUndoable,
  looksSold,
  type Sale,
  type SoldPet,
  saleName,
  sales,
  sell,
  sellPending,
  undoSale,
} from "./sales.ts";

/**
 * The animals whose sale is shown in the animal's row or on the animal's page. All other sales are shown at the end of the page.
 */
const inPlace = signal<ReadonlySet<Int64>>(new Set());

type ShownPet = SoldPet & Pick<Pet, "status">;

interface SellButtonProps {
  readonly pet: ShownPet;
  /** The open order of a pending animal. If left out, the order is read before it is completed. */
  readonly order?: Order;
  readonly isPrimary?: boolean;
  /** Controls that are shown after the button. If the button disappears while it has the focus, they get the focus. */
  readonly children?: ComponentChildren;
}

/**
 * A button that sells an available animal, or completes the order of a pending animal, with one click. It then offers Undo for 10
 * seconds.
 */
export function SellButton({ pet, order, isPrimary = false, children }: SellButtonProps) {
  const place = useKeepFocus<HTMLDivElement>();
  useEffect(() => {
    inPlace.value = new Set([...inPlace.value, pet.id]);
    return () => {
      inPlace.value = new Set([...inPlace.value].filter((id) => id !== pet.id));
    };
  }, [pet.id]);
  const isEnded = pet.status === "sold" && looksSold(pet) && !sales.value.get(pet.id)?.isBusy;
  useEffect(() => {
    if (isEnded || sales.value.get(pet.id)?.isDone) endSale(pet);
  }, [pet.id, pet.status, isEnded]);
  const action = mayChange.value && actionOf(pet, order);
  return (
    <div class="sale" {...place}>
      {action && (
        <SaleButton {...action} look={isPrimary && action.word !== "Undo" ? "primary" : "secondary"} />
      )}
      {children}
    </div>
  );
}

interface SaleAction {
  readonly word: "Sell" | "Complete" | "Undo";
  readonly label: string;
  readonly isBusy: boolean | undefined;
  readonly act: () => Promise<unknown>;
}

function actionOf(pet: ShownPet, order: Order | undefined): SaleAction | undefined {
  const name = saleName(pet);
  const sale = sales.value.get(pet.id);
  // The button in an animal's row stays after a sale until the row has been read again, because it has the focus and may become
  // the Sell button again.
  if (sale && looksSold(pet)) return undoing([sale], name);
  const isBusy = sale?.isBusy;
  if (pet.status === "available")
    return { word: "Sell", label: `Sell ${name}`, isBusy, act: () => sell(pet) };
  if (pet.status !== "pending") return undefined;
  if (order === undefined && hasNoOrder(pet))
    return { word: "Sell", label: `Sell ${name}`, isBusy, act: () => sellPending(pet) };
  const act = () => completeOrder(pet, order);
  return { word: "Complete", label: `Complete the order of ${name}`, isBusy, act };
}

function undoing(several: readonly Sale[], name: string): SaleAction {
  return {
    word: "Undo",
    label: `Undo the sale of ${name}`,
    isBusy: !several.some(({ pet }) => isUndoable(pet)),
    act: () => Promise.all(several.filter(({ pet }) => isUndoable(pet)).map(undoSale)),
  };
}

interface SaleButtonProps extends SaleAction {
  readonly look: "primary" | "secondary" | "link";
}

/** All actions of an animal share one button element, so that the button keeps the focus when the action changes. */
function SaleButton({ word, label, act, isBusy, look }: SaleButtonProps) {
  const isSettling = useSettling(word, word === "Undo");
  const isInert = isBusy || isSettling;
  return (
    <button
      type="button"
      class={look}
      translate={false}
      aria-label={label}
      aria-disabled={isInert || undefined}
      data-key={word.charAt(0).toLowerCase()}
      // If somebody double-clicks Sell slowly, the second click must not undo the sale.
      onClick={({ detail }) => !isInert && (word !== "Undo" || detail < 2) && void act()}
    >
      {word}
    </button>
  );
}

/**
 * Lists the sales that failed, and the sales of animals that are no longer on the page. All animals of a bulk sale share one line.
 */
export function SalesElsewhere() {
  useLive(["order"], heedCancellations);
  const shown = [...sales.value.values()].filter(
    ({ pet, failure, isDone }) => failure || !(isDone || inPlace.value.has(pet.id)),
  );
  if (shown.length === 0) return null;
  const lines = Map.groupBy(shown, ({ pet, patience, failure }) =>
    patience ? `many ${failure !== undefined}` : String(pet.id),
  );
  return (
    <section class="toast sales" aria-label="Sales">
      {[...lines].map(([key, line]) => (
        <SaleNote key={key} line={line} />
      ))}
    </section>
  );
}

function SaleNote({ line }: { readonly line: readonly Sale[] }) {
  const [first] = line;
  const others = line.length - 1;
  const name = first && others === 0 ? saleName(first.pet) : animalCount(line.length);
  const { failure } = first ?? {};
  const retries = line.flatMap((sale) => sale.failure?.retry ?? []);
  return (
    <p translate={false}>
      <span dir="auto" role={failure && "alert"} class={failure && "problem"}>
        {failure ? failure.text : `Sold ${name}`}
        {failure && others > 0 && ` And ${others} more.`}
      </span>
      {!failure && <SaleButton {...undoing(line, name)} look="link" />}
      {retries.length > 0 && (
        <button type="button" class="link" onClick={() => retries.map((retry) => retry())}>
          Try again
        </button>
      )}
      {failure && (
        <button type="button" class="link" onClick={() => line.map(({ pet }) => endSale(pet))}>
          Dismiss
        </button>
      )}
    </p>
  );
}
