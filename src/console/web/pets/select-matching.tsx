import { signal } from "@preact/signals";
import type { Pet } from "../../../pets/contract.ts";
import { announce } from "../components/announce.tsx";
import { everyPage } from "../every-page.ts";
import { formatNumber } from "../format.ts";
import type { Query, Versioned } from "../request.ts";
import { toPetstoreError } from "../request-error.ts";
import { type Reading, reading, selectAll, selected } from "./selection.ts";

/** The filter with which the person last selected all matching animals, and the resulting selection. */
const taken = signal<{ readonly key: string; readonly selection: unknown } | undefined>(undefined);

interface SelectMatchingProps {
  readonly filter: Query;
  readonly total: string | undefined;
  readonly onPress: () => void;
}

/** A button that selects all animals that match the filter. It is hidden while they are all selected. */
export function SelectMatching({ filter, total, onPress }: SelectMatchingProps) {
  const { key, selection } = taken.value ?? {};
  if (key === JSON.stringify(filter) && selection === selected.value) return null;
  return (
    <button type="button" class="secondary" onClick={onPress}>
      Select all {total ?? "that match"}
    </button>
  );
}

/**
 * Selects all animals that currently match the filter, each in its current version. Animals that are already selected stay
 * selected in the version that the person saw.
 */
export async function selectMatching(filter: Query): Promise<void> {
  const aborter = new AbortController();
  const rows: Versioned<Pet>[] = [];
  reading.value = { found: 0, aborter };
  try {
    for await (const page of everyPage<Versioned<Pet>>("/pets", filter, aborter.signal)) {
      rows.push(...page);
      reading.value = { found: rows.length, aborter };
    }
    selectAll(rows, true);
    taken.value = { key: JSON.stringify(filter), selection: selected.peek() };
  } catch (error) {
    if (!aborter.signal.aborted) announce(`No more animals were selected. ${toPetstoreError(error).message}`);
  }
  reading.value = undefined;
}

export function ReadingProgress({ reading: { found, aborter } }: { readonly reading: Reading }) {
  return (
    <div class="bulk-actions">
      <label for="selecting" translate={false}>
        {formatNumber(found)} found
      </label>
      <progress id="selecting" />
      <button type="button" class="secondary" onClick={() => aborter.abort()}>
        Cancel
      </button>
    </div>
  );
}
