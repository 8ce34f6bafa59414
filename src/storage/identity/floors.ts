import type { Database as Connection } from "bun:sqlite";
import { ID_GAP } from "../../limits.ts";
import { createQuery } from "../sqlite/connection.ts";
import { raiseLastIds, readLastIds } from "./stamp.ts";
import { type LastIds, type Listed, OTHER_TABLES } from "./store-list.ts";

/** The highest identifier: 2^53 − 1. */
const ID_MAX = Number.MAX_SAFE_INTEGER;

/**
 * What a file has given out at most, by its own word and that of the list: exactly where it was closed, with a gap where a
 * process may have given out more.
 */
export function floorsOf(lastIds: LastIds = {}, listed: Listed | undefined): LastIds {
  const highestIds = highest(lastIds, listed?.lastIds ?? {});
  return listed?.isClosed ? highestIds : withGap(highestIds);
}

/** For tables whose identifiers nothing records. */
export function withGap(lastIds: LastIds): LastIds {
  return Object.fromEntries(
    Object.entries({ [OTHER_TABLES]: 0, ...lastIds }).map(([table, last]) => [
      table,
      Math.min(last + ID_GAP, ID_MAX),
    ]),
  );
}

export function highest(one: LastIds, other: LastIds): LastIds {
  const tables = Object.keys({ ...one, ...other });
  // A forged backup may name a table `constructor`, which every object has.
  const last = (ids: LastIds, table: string) => (Object.hasOwn(ids, table) ? (ids[table] ?? 0) : 0);
  return Object.fromEntries(tables.map((table) => [table, Math.max(last(one, table), last(other, table))]));
}

/** Has the accounts' tables go on higher, in one transaction with what says why. */
export async function raiseByGap(connection: Connection): Promise<void> {
  const query = createQuery(connection);
  await raiseLastIds(query, withGap(await readLastIds(query)));
}
