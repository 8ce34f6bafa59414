import type { TargetedFocusEvent } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { HELD_BACK_MS } from "../key-burst.ts";
import { useKeys } from "../use-keys.ts";

const CONTROLS = ":is(a[href], button, summary, [type=checkbox]):not([popover] *)";
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };
/** Keys that act on the active row. Each key presses the control in the row that has this key as its `data-key` attribute. */
const PRESSING = ["s", "c", "u", "x"];

/**
 * Adds keyboard shortcuts for moving from row to row and for acting on a row. Only the controls in the active row are in the tab
 * order.
 */
export function useRowKeys() {
  const ref = useRef<HTMLTableElement>(null);
  const rows = useMemo(() => new Rows(), []);
  useLayoutEffect(() => {
    const [body] = ref.current?.tBodies ?? [];
    if (body === undefined) return;
    rows.read(body);
    // The observer is necessary because a cell can be rendered again without its table. A new button in the cell would then stay
    // in the tab order.
    const observer = new MutationObserver(() => rows.read(body));
    observer.observe(body, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, []);
  const press = (event: KeyboardEvent) => rows.press(event);
  useKeys(Object.fromEntries([...Object.keys(STEPS), ...PRESSING].map((key) => [key, press])), ref);
  return {
    ref,
    onFocusIn({ target }: TargetedFocusEvent<HTMLTableElement>) {
      if (target instanceof Element) rows.activate(target.closest("tr"));
    },
  };
}

/** The rows that have controls. Only the controls of the active row are in the tab order. */
class Rows {
  #all: readonly HTMLTableRowElement[] = [];
  #index = 0;

  /** Reads the rows after a change. If the active row was removed, the next row becomes active. */
  read(body: HTMLTableSectionElement): void {
    const all = [...body.rows].filter((row) => row.querySelector(CONTROLS) !== null);
    const nearest = [...this.#all.slice(this.#index), ...this.#all.slice(0, this.#index).reverse()];
    const heir = nearest.find((row) => all.includes(row)) ?? all[0];
    this.#all = all;
    this.activate(heir);
  }

  activate(active: HTMLTableRowElement | null | undefined): void {
    if (!active || !this.#all.includes(active)) return;
    this.#index = this.#all.indexOf(active);
    for (const row of this.#all) {
      const index = row === active ? 0 : -1;
      for (const control of row.querySelectorAll<HTMLElement>(CONTROLS))
        if (control.tabIndex !== index) control.tabIndex = index;
    }
  }

  /** Handles a key. @returns false if the key has no effect on the rows */
  press({ key, repeat, shiftKey }: KeyboardEvent): boolean {
    const active = this.#all[this.#index];
    const hasFocus = active?.contains(document.activeElement) === true;
    const step = STEPS[key];
    if (step === undefined) {
      const control = hasFocus && active.querySelector<HTMLElement>(`[data-key="${key}"]`);
      if (control && !repeat) pressUnlessText(control);
      return Boolean(control);
    }
    // If no row has the focus, the first key moves the focus to a visible row.
    const next = hasFocus ? this.#all[this.#index + step] : [active, ...this.#all].find(isInView);
    const control =
      next?.querySelector<HTMLElement>(`th ${CONTROLS}`) ?? next?.querySelector<HTMLElement>(CONTROLS);
    if (shiftKey && hasFocus) extendSelection(active, next);
    control?.focus({ preventScroll: true });
    next?.scrollIntoView({ block: "nearest" });
    return next !== undefined;
  }
}

/**
 * Selects a row and its neighbour. If both are already selected, the person is moving back, so the first of the two is deselected
 * instead.
 */
function extendSelection(...rows: readonly (HTMLTableRowElement | undefined)[]) {
  const boxes = rows.flatMap((row) => row?.querySelector<HTMLInputElement>('[data-key="x"]') ?? []);
  const [left] = boxes;
  if (boxes.length === 2 && boxes.every(({ checked }) => checked)) left?.click();
  else for (const box of boxes) if (!box.checked) box.click();
}

/**
 * Presses a control after a short delay, unless more keys follow within the delay. In that case, a barcode scanner has typed
 * them, and the Find dialog is opened with the scanned text instead.
 */
function pressUnlessText(control: HTMLElement) {
  const shownDialog = () => document.querySelector("dialog[open]");
  const before = shownDialog();
  setTimeout(() => shownDialog() === before && control.click(), HELD_BACK_MS);
}

function isInView(row: Element | undefined): boolean {
  const { top = -1, bottom = 0 } = row?.getBoundingClientRect() ?? {};
  return top >= 0 && bottom <= innerHeight;
}
