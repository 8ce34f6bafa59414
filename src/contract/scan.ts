import { SCANNED_MAX } from "../limits.ts";
import type { Maybe } from "../platform/maybe.ts";
import { inTurn } from "../platform/turns.ts";
import type { Found } from "./cursor.ts";

export const SCAN_ROWS_MAX = 250; // number of rows that one statement of a scan reads; other requests can run between two statements

interface Scan<Item> {
  /** Owner of the scan. Owners take turns, so that no owner's scans delay those of the others for long. */
  readonly owner: string | undefined;
  /** Reads up to `rows` rows with identifiers below `below`, in descending order. */
  readonly read: (below: bigint, rows: number) => Maybe<readonly Item[]>;
  readonly matches: (item: Item) => boolean;
}

/** Finds the newest `count` rows that match. The scan stops after `SCANNED_MAX` rows, even if fewer rows have been found. */
export async function scan<Item extends { readonly id: number | bigint }>(
  { matches, ...batches }: Scan<Item>,
  below: bigint,
  count: number,
): Promise<Found<Item>> {
  const found: Item[] = [];
  let scanned = 0;
  for await (const { items, end } of readBatches(batches, below, count)) {
    for (const item of items) {
      // The scan has reached its maximum, so the next page begins with this row.
      if (scanned++ === SCANNED_MAX) return { items: found, end: BigInt(item.id) + 1n };
      if (matches(item)) found.push(item);
    }
    if (found.length >= count) return { items: found, end };
  }
  return { items: found };
}

/** Reads rows in batches, newest first. `end` is the last identifier of a batch; it is undefined if no further batch follows. */
export async function* readBatches<Item extends { readonly id: number | bigint }>(
  { owner, read }: Pick<Scan<Item>, "owner" | "read">,
  from: bigint,
  firstRows: number,
) {
  let below = from;
  for (let rows = firstRows; ; rows = Math.min(2 * rows, SCAN_ROWS_MAX)) {
    // The rows are read in steps, so that other requests can run in between. Otherwise they would have to wait, because an embedded
    // engine reads synchronously.
    const items = await inTurn(owner, () => read(below, rows));
    const last = items.length < rows ? undefined : items.at(-1);
    yield { items, end: last && BigInt(last.id) };
    if (last === undefined) return;
    below = BigInt(last.id);
  }
}
