import { effect, signal } from "@preact/signals";
import type { Int64 } from "exact-json/int64";
import type { ComponentChildren } from "preact";
import type { Pet } from "../../../pets/contract.ts";
import { mayChange } from "../account/session.ts";
import { announcePolite } from "../components/announce.tsx";
import { formatNumber } from "../format.ts";
import type { Versioned } from "../request.ts";

type Row = Versioned<Pet>;

/** The selected animals, each in the version that the person saw. Changes apply only to that version. */
export const selected = signal<ReadonlyMap<Int64, Row>>(new Map());

/** True while the rows of a narrow list have checkboxes instead of buttons. Rows of a wide list always have both. */
export const isSelecting = signal(false);

export function startSelecting(): void {
  isSelecting.value = true;
  announcePolite("Choose the animals in the list");
}

export interface Reading {
  readonly found: number;
  readonly aborter: AbortController;
}

export const reading = signal<Reading | undefined>(undefined);

/** The reasons why selected animals were not changed, keyed by the identifier of the animal. */
export const refusals = signal<ReadonlyMap<Int64, ComponentChildren>>(new Map());

/** The row whose checkbox was clicked last. If the next click selects a range, the range begins with this row. */
let anchor: Int64 | undefined;

/**
 * Selects or deselects a row. If `isRange` is true, also selects or deselects all rows between this row and the row that was
 * clicked before.
 */
export function select(rows: readonly Row[], row: Row, isSelected: boolean, isRange: boolean): void {
  const indexOf = (id: Int64 | undefined) => rows.findIndex((other) => other.id === id);
  const end = indexOf(row.id);
  const start = isRange && indexOf(anchor) >= 0 ? indexOf(anchor) : end;
  anchor = row.id;
  selectAll(rows.slice(Math.min(start, end), Math.max(start, end) + 1), isSelected);
}

export function selectAll(rows: readonly Row[], isSelected: boolean): void {
  const next = new Map(selected.value);
  for (const row of rows) {
    if (!isSelected) next.delete(row.id);
    else if (!next.has(row.id)) next.set(row.id, row);
  }
  selected.value = next;
  announcePolite(`${formatNumber(next.size)} selected`);
}

export function clearSelection(): void {
  isSelecting.value = false;
  if (selected.value.size > 0) selectAll([...selected.value.values()], false);
}

// Clears the selection when the person signs out, or has only the role of a viewer. Another account in this tab therefore starts
// without a selection.
effect(() => {
  if (mayChange.value) return;
  selected.value = new Map();
  isSelecting.value = false;
});
