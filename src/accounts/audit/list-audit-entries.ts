import { INT64_MAX, type Int64 } from "exact-json/int64";
import type { Actor } from "../../context.ts";
import { type Position, readPageBy } from "../../contract/cursor.ts";
import type { Input, Page } from "../../contract/operation.ts";
import type { Query } from "../../storage/database.ts";
import type { DatabaseName } from "../../storage/store-files.ts";
import type { AuditEntry, auditOperations } from "./contract.ts";
import { selectEntryPage } from "./store.ts";

/** The databases that have audit entries: each has those of its own changes. */
export type AuditSources = ReadonlyMap<DatabaseName, Query>;

/** What a page has shown of each database: the number of its last entry there. */
type Shown = ReadonlyMap<string, Int64>;

/**
 * The entries of all sources, newest first. A database's own are in the order of their numbers, and the cursor has the last
 * number of each: none is left out or shown twice when a clock jumps.
 */
export async function listAuditEntries(
  actor: Actor,
  sources: AuditSources,
  input: Input<typeof auditOperations.listAuditEntries>,
): Promise<Page<AuditEntry>> {
  const positions = new Map<AuditEntry, Position>();
  const positionOf = (entry: AuditEntry) => positions.get(entry) ?? positionAfter(new Map());
  const scope = ["listAuditEntries", actor.kind === "operator" ? undefined : actor.environment] as const;
  return readPageBy(scope, input, positionOf, async ({ text }, count) => {
    let shown = readShown(text);
    const entries: AuditEntry[] = [];
    for (const { source, number, entry } of await nextOf(sources, shown, count)) {
      shown = new Map(shown).set(source, number);
      positions.set(entry, positionAfter(shown));
      entries.push(entry);
    }
    return entries;
  });
}

interface Found {
  readonly source: DatabaseName;
  readonly number: Int64;
  readonly entry: AuditEntry;
}

/** The newest `count` that have not been shown. */
async function nextOf(sources: AuditSources, shown: Shown, count: number): Promise<readonly Found[]> {
  const lists = await Promise.all(
    [...sources].map(async ([source, query]): Promise<Found[]> => {
      const rows = await query(selectEntryPage, [shown.get(source) ?? INT64_MAX, count]);
      return rows.map(({ id, ...rest }) => ({
        source,
        number: id,
        entry: { id: `${source}-${id}`, ...rest },
      }));
    }),
  );
  const found: Found[] = [];
  while (found.length < count) {
    const newest = newestOf(lists);
    const next = newest?.shift();
    if (next === undefined) break;
    found.push(next);
  }
  return found;
}

/** The list that begins with the latest entry; of several the first. */
function newestOf(lists: readonly Found[][]): Found[] | undefined {
  const timeOf = ([first]: readonly Found[]) => first?.entry.at ?? "";
  return lists.toSorted((one, other) =>
    timeOf(one) < timeOf(other) ? 1 : timeOf(one) > timeOf(other) ? -1 : 0,
  )[0];
}

/** `accounts 12 production 3` */
function positionAfter(shown: Shown): Position {
  return { position: 0n, text: [...shown].flat().join(" ") };
}

function readShown(text: string): Shown {
  const pairs = [...text.matchAll(/([a-z]+) (\d+)/g)];
  return new Map(pairs.map(([, source = "", number = ""]) => [source, BigInt(number)]));
}
