import { randomBase62, systemRandomBytes } from "../../platform/random.ts";
import type { Query } from "../database.ts";
import { members, numberColumn, singleRow, textColumn } from "../row.ts";
import { LAST_CATEGORY, writeSetting } from "../setting.ts";
import { forgetLastId, insertLastId } from "../sqlite/catalogue.ts";
import { noRows, type Row, type Statement, statement } from "../statement.ts";
import type { DatabaseName } from "../store-files.ts";
import { APPLICATION_IDS } from "./raw-file.ts";

/** The last identifier assigned in each table, keyed by the table's name. */
export type LastIds = Readonly<Record<string, number>>;

/** The key in `LastIds` for all tables that have no key there. */
export const OTHER_TABLES = "*";

export interface FileState {
  /** The store's identifier. It has a suffix that changes whenever the store's contents are reset. */
  readonly storeId: string;
  readonly generation: number;
  readonly lastIds: LastIds;
}

/** The number of base62 characters in a store's identifier, without its suffix. They amount to 131 bits. */
const STORE_ID_LENGTH = 22;

export function newStoreId(): string {
  return randomBase62(systemRandomBytes, STORE_ID_LENGTH);
}

export function withoutSuffix(storeId: string): string {
  return storeId.slice(0, STORE_ID_LENGTH);
}

// The value of a PRAGMA is part of the SQL text, because a PRAGMA accepts no parameters.
const pragma = (sql: string): Statement<[]> => ({ sql: `PRAGMA ${sql}`, decode: noRows });
const selectHeader: Statement<[], { applicationId: number; generation: number }> = statement(
  "SELECT application_id, user_version FROM pragma_application_id, pragma_user_version",
  members({
    applicationId: numberColumn,
    generation: () => numberColumn("user_version"),
  }),
);
const insertIdentity: Statement<[id: string]> = statement(
  "INSERT OR REPLACE INTO store_identity VALUES (1, $1)",
);
/**
 * Replaces the suffix of the store's identifier. After that, the recorded last identifiers no longer apply, because they belong
 * to the previous contents.
 */
export const renewIdentity: Statement<[contents: string]> = {
  sql: `UPDATE store_identity SET id = substr(id, 1, ${STORE_ID_LENGTH}) || '.' || $1`,
  decode: noRows,
};
const lastIdsColumn = textColumn("last_ids");
export const CONTENTS = {
  storeId: textColumn,
  lastIds: () => (row: Row) => parseLastIds(lastIdsColumn(row)),
};
/**
 * Selects the store's identifier, and the last identifier of each table whose identifiers are assigned automatically. The value 0
 * means that the table has not assigned any.
 */
const selectContents: Statement<[], Omit<FileState, "generation">> = statement(
  `SELECT id AS store_id, (SELECT json_group_object(name, last) FROM (
    SELECT t.name, coalesce(s.seq, 0) AS last FROM sqlite_schema AS t LEFT JOIN sqlite_sequence AS s USING (name)
      WHERE t.type = 'table' AND t.sql LIKE '% PRIMARY KEY AUTOINCREMENT%'
    UNION ALL SELECT name, coalesce((SELECT CAST(value AS INTEGER) FROM setting WHERE setting.name = '${LAST_CATEGORY}'), 0)
      FROM sqlite_schema AS t WHERE type = 'table' AND name = 'category')) AS last_ids FROM store_identity`,
  members(CONTENTS),
);

/**
 * Parses a JSON object with the last identifier of each table. Any other text, such as text from a forged backup, is treated as an
 * empty object.
 */
function parseLastIds(text: string): LastIds {
  if (!/^\{("\w+":\d{1,16},?)*\}$/.test(text.replace('"*"', '"_"'))) return {};
  const stored: LastIds = JSON.parse(text);
  const tables = Object.entries(stored);
  return Object.fromEntries(tables.map(([table, last]) => [table, Math.min(last, Number.MAX_SAFE_INTEGER)]));
}

/**
 * Reads a file's identity and generation number.
 *
 * @returns undefined for a file without tables (left behind by a process that died while it was creating the file)
 */
export async function readState(query: Query): Promise<FileState | undefined> {
  const { applicationId, generation } = singleRow(await query(selectHeader, []));
  return applicationId === 0 ? undefined : { generation, ...singleRow(await query(selectContents, [])) };
}

/**
 * Writes a database's identity into its file, unless the file already has one. Call this in the transaction that migrates the
 * database.
 *
 * @param storeId resolves to the identifier of the store that a new file belongs to
 */
export async function stamp(query: Query, name: DatabaseName, storeId: () => Promise<string>): Promise<void> {
  if ((await readState(query)) !== undefined) return;
  await query(insertIdentity, [await storeId()]);
  await query(pragma(`application_id = ${APPLICATION_IDS[name]}`), []);
  await renumber(query);
}

/** Raises the last identifier of each table to the given value, unless it is already higher. */
export async function raiseLastIds(query: Query, lastIds: LastIds): Promise<void> {
  const { lastIds: current } = singleRow(await query(selectContents, []));
  for (const [table, own] of Object.entries(current)) {
    const last = lastIds[table] ?? lastIds[OTHER_TABLES] ?? 0;
    if (last <= own) continue;
    if (table === "category") {
      await query(writeSetting, [LAST_CATEGORY, String(last)]);
      continue;
    }
    await query(forgetLastId, [table]);
    await query(insertLastId, [table, BigInt(last)]);
  }
}

export async function raiseGeneration(query: Query): Promise<void> {
  const { generation } = singleRow(await query(selectHeader, []));
  await setGeneration(query, generation + 1);
}

export async function setGeneration(query: Query, generation: number): Promise<void> {
  await query(pragma(`user_version = ${generation}`), []);
}

/**
 * Sets a file's generation number to a random number, which is almost certainly far from the generation numbers of other files.
 */
export async function renumber(query: Query): Promise<void> {
  const { buffer } = systemRandomBytes(4).slice();
  await setGeneration(query, 1 + (new DataView(buffer).getUint32(0) >>> 2));
}
