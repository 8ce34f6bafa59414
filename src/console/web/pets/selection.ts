import { effect, signal } from "@preact/signals";
import type { Int64 } from "exact-json/int64";
import type { VNode } from "preact";
import type { Pet } from "../../../pets/contract.ts";
import { account } from "../account/session.ts";
import { announceSparsely } from "../components/announce.tsx";
import type { Versioned } from "../request.ts";

type Row = Versioned<Pet>;

/** The selected animals as they were when they were selected: a change is for the version that the person saw. */
export const selected = signal<ReadonlyMap<Int64, Row>>(new Map());

/** Why selected animals were not changed, by their numbers. */
export const refusals = signal<ReadonlyMap<Int64, VNode>>(new Map());

/** The row that a range begins at: the last one whose box was clicked. */
let anchor: Int64 | undefined;

/** Selects a row or takes it out; with `isRange`, all from the row before on. */
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
  announceSparsely(`${next.size.toLocaleString()} selected`);
}

export function clearSelection(): void {
  if (selected.value.size > 0) selectAll([...selected.value.values()], false);
}

// The next person in this tab has selected nothing.
effect(() => {
  if (account.value === undefined) selected.value = new Map();
});
