import { SCANNED_MAX } from "../limits.ts";
import type { Maybe } from "../platform/maybe.ts";
import { inTurn } from "../platform/turns.ts";
import type { Found } from "./cursor.ts";

export const SCAN_ROWS_MAX = 250; // number of rows that one statement of a scan reads; other requests can run between two statements

interface Scan<Item> {
  /**
   * Identifies the API key that the scan works for; undefined for people. Keys take turns, so that the scans of one key do not delay
   * those of another for long.
   */
  readonly owner: string | undefined;
  /** Reads up to `rows` rows whose identifier is lower than `below`, in descending order. */
  readonly read: (below: bigint, rows: number) => Maybe<readonly Item[]>;
  readonly matches: (item: Item) => boolean;
}

/**
 * Finds the newest `count` rows that match. The scan stops after `SCANNED_MAX` rows, even if it has found fewer rows that match.
 */
export async function scan<Item extends { readonly id: number | bigint }>(
  { matches, ...batches }: Scan<Item>,
  below: bigint,
  count: number,
): Promise<Found<Item>> {
  const found: Item[] = [];
  let scanned = 0;
  for await (const { items, end } of readBatches(batches, below, count)) {
    for (const item of items) {
      // If the scan has read its maximum number of rows, the next page begins with the first row that was not read.
      if (scanned++ === SCANNED_MAX) return { items: found, end: BigInt(item.id) + 1n };
      if (matches(item)) found.push(item);
    }
    if (found.length >= count) return { items: found, end };
  }
  return { items: found };
}

/** Reads rows in batches, newest first. `end` is the last identifier of a batch, or undefined if no batch follows. */
export async function* readBatches<Item extends { readonly id: number | bigint }>(
  { owner, read }: Pick<Scan<Item>, "owner" | "read">,
  from: bigint,
  firstRows: number,
) {
  let below = from;
  for (let rows = firstRows; ; rows = Math.min(2 * rows, SCAN_ROWS_MAX)) {
    // The rows are read in steps, so that other requests can run between them. An embedded database reads synchronously, so other
    // requests would otherwise have to wait for the whole scan.
    const items = await inTurn(owner, () => read(below, rows));
    const last = items.length < rows ? undefined : items.at(-1);
    yield { items, end: last && BigInt(last.id) };
    if (last === undefined) return;
    below = BigInt(last.id);
  }
}
