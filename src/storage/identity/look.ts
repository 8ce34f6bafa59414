import { Database as Connection, constants, SQLiteError } from "bun:sqlite";
import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { SQLITE_BUSY_TIMEOUT_MS } from "../../limits.ts";
import { type JournalEntry, selectJournal } from "../migrate.ts";
import { refuseForeign } from "../sqlite/file.ts";
import type { DatabaseName } from "../store-files.ts";
import { selectLastIds } from "./stamp.ts";
import { hasTable, type LastIds, type Listed, readList } from "./store-list.ts";

/** What a database file holds, as far as other files are compared with it. */
export interface Contents {
  readonly journal: readonly JournalEntry[];
  /** Undefined in a file that no petstore has marked yet. */
  readonly storeId: string | undefined;
  readonly lastIds: LastIds;
  /** Of the accounts: what it says of the other files. */
  readonly list: ReadonlyMap<DatabaseName, Listed> | undefined;
}

/**
 * Reads a database without changing a byte of it or its log.
 *
 * @throws SQLiteError when it is damaged
 */
export function lookInto(file: string): Contents {
  const connection = openToLook(file);
  try {
    connection.run(`PRAGMA busy_timeout = ${SQLITE_BUSY_TIMEOUT_MS}`);
    connection.run("PRAGMA trusted_schema = OFF");
    refuseForeign(connection, file);
    return {
      journal: hasTable(connection, "migration")
        ? connection.query<JournalRow, []>(selectJournal.sql).all().map(journalEntry)
        : [],
      storeId: hasTable(connection, "store_identity")
        ? connection.query<{ id: string }, []>("SELECT id FROM store_identity").get()?.id
        : undefined,
      lastIds: readLastIds(connection),
      list: readList(connection),
    };
  } finally {
    connection.close();
  }
}

interface JournalRow {
  readonly number: number;
  readonly name: string;
  /** Absent in the journal of an earlier petstore, which is read to be refused. */
  readonly oldest_program?: number | null;
}

function journalEntry({ number, name, oldest_program }: JournalRow): JournalEntry {
  return { number, name, oldestProgram: oldest_program ?? undefined };
}

/** With a log SQLite needs its index beside it; without one it would make both, unless the file counts as immutable. */
function openToLook(file: string): Connection {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  if (log !== undefined && log.size > 0) return new Connection(file, { readonly: true });
  const { SQLITE_OPEN_READONLY, SQLITE_OPEN_URI } = constants;
  return new Connection(`${pathToFileURL(file)}?immutable=1`, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
}

function readLastIds(connection: Connection): LastIds {
  if (!hasTable(connection, "sqlite_sequence")) return {};
  const rows = connection.query<{ name: string; seq: number }, []>(selectLastIds.sql).all();
  return Object.fromEntries(rows.map(({ name, seq }) => [name, Number(seq)]));
}

/** Whether another process is at the file, so that this look proves nothing. */
export function isPassing(error: unknown): boolean {
  return (
    error instanceof SQLiteError && /^SQLITE_(BUSY|CANTOPEN|READONLY|IOERR|PROTOCOL)/.test(error.code ?? "")
  );
}
