import { existsSync } from "node:fs";
import type { JournalEntry } from "../migrate.ts";
import type { DatabaseName } from "../store-files.ts";
import { type FileState, type LastIds, withoutSuffix } from "./stamp.ts";
import type { Listed, StoreList } from "./store-list.ts";

/** Why a database file cannot be used as it is. */
export interface Fault {
  /** The file, its log alone, the file's age or that of the accounts' list; `avoidable`: to be put right without a loss. */
  readonly kind: "file" | "log" | "older" | "newer" | "avoidable";
  /** A sentence without its period, which begins with the file. */
  readonly message: string;
}

/** The contents of a database file, as far as other files are compared with it. */
export interface Contents {
  readonly journal: readonly JournalEntry[];
  /** Undefined in a file without tables: its process died while it made the file. */
  readonly state: FileState | undefined;
  /** The accounts' list of the other files. */
  readonly list?: StoreList | undefined;
}

/** One database file as it was found. */
export interface Found {
  readonly name: DatabaseName;
  readonly file: string;
  readonly isThere: boolean;
  /** Undefined where nothing is there, or it cannot be read; without a fault because another process is at it. */
  readonly contents?: Contents | undefined;
  readonly fault?: Fault | undefined;
}

/** What there is instead of a file. */
export function absence(file: string): string {
  return existsSync(file) ? "is empty (0 bytes)" : "is missing";
}

/** Adds to what was found what the accounts' list of the files says against it. */
export function compareWithList(accounts: Found, siblings: readonly Found[]): readonly Found[] {
  const { file, isThere, contents, fault } = accounts;
  const sibling = siblings.find((found) => found.isThere);
  if (!isThere && sibling !== undefined) {
    const message = `${file} ${absence(file)}, and ${sibling.file} is there`;
    return [{ ...accounts, fault: { kind: "file", message } }, ...siblings];
  }
  if (fault !== undefined || contents === undefined) return [accounts, ...siblings];
  const compared = siblings.map((found) => ({
    ...found,
    fault: found.fault ?? compare(found, contents.list?.get(found.name), file),
  }));
  return [accounts, ...compared];
}

function compare(found: Found, listed: Listed | undefined, accountsFile: string): Fault | undefined {
  const { file, isThere, contents } = found;
  const fault = (kind: Fault["kind"], what: string): Fault => ({ kind, message: `${file} ${what}` });
  const last = listed?.generation;
  if (!isThere) return last === undefined ? undefined : fault("file", absence(file));
  if (contents === undefined) return undefined;
  const { state } = contents;
  const isOlder = `is older than it was when ${accountsFile} last recorded it`;
  if (state === undefined) return last === undefined ? undefined : fault("older", isOlder);
  if (listed === undefined)
    return fault("newer", `is not in the list in ${accountsFile}: one of the two was replaced`);
  if (withoutSuffix(state.storeId) !== withoutSuffix(listed.storeId))
    return fault("newer", `is of another store than ${accountsFile}`);
  if (last === undefined || state.generation === last) return undefined;
  if (state.generation < last) return fault("older", isOlder);
  if (state.generation === last + 1 && isCutOff(file, state.lastIds, listed)) return undefined;
  return fault("newer", `is newer than ${accountsFile}, which was put back from a copy`);
}

/**
 * Whether a crash can have kept the list from following the file: at a start nothing was given out since the list was closed; at
 * an end, and at the start after a crash, the log is still there.
 */
function isCutOff(file: string, lastIds: LastIds, listed: Listed): boolean {
  if (!listed.isClosed) return existsSync(`${file}-wal`);
  return Object.entries(listed.lastIds).every(([table, last]) => (lastIds[table] ?? 0) <= last);
}
