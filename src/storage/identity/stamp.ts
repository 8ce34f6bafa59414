import type { Query } from "../database.ts";
import { numberColumn, textColumn } from "../row.ts";
import { forgetLastId, insertLastId } from "../sqlite/catalogue.ts";
import { noRows, type Row, type Statement } from "../statement.ts";
import type { DatabaseName } from "../store-files.ts";
import { APPLICATION_IDS } from "./page-one.ts";
import {
  IDENTITY_TABLE,
  type LastIds,
  LIST_TABLES,
  OTHER_TABLES,
  STORE_ID_LENGTH,
  storeOf,
} from "./store-list.ts";

// A PRAGMA takes no values.
const pragma = (sql: string): Statement<[], undefined> => ({ sql: `PRAGMA ${sql}`, decode: noRows });
const selectApplicationId = numberPragma("application_id");
const selectMark = numberPragma("user_version");
const createIdentity: Statement<[], undefined> = { sql: IDENTITY_TABLE, decode: noRows };
const insertIdentity: Statement<[id: string], undefined> = {
  sql: "INSERT OR REPLACE INTO store_identity VALUES (1, $1)",
  decode: noRows,
};
const selectIdentity: Statement<[], string> = {
  sql: "SELECT id FROM store_identity",
  decode: (row) => textColumn(row, "id"),
};
/** Of the same store with other contents: what the list says of identifiers of the ones before does not count any more. */
export const renewIdentity: Statement<[contents: string], undefined> = {
  sql: `UPDATE store_identity SET id = substr(id, 1, ${STORE_ID_LENGTH}) || '.' || $1`,
  decode: noRows,
};
const selectSequences: Statement<[], undefined> = {
  sql: "SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'",
  decode: noRows,
};
/** Of every table that gives out identifiers, 0 where it has given none. */
export const selectLastIds: Statement<[], readonly [string, number]> = {
  sql: `SELECT t.name, coalesce(s.seq, 0) AS seq FROM sqlite_schema AS t LEFT JOIN sqlite_sequence AS s USING (name)
    WHERE t.type = 'table' AND t.sql LIKE '% PRIMARY KEY AUTOINCREMENT%'`,
  decode: (row: Row) => [textColumn(row, "name"), numberColumn(row, "seq")],
};

function numberPragma(name: string): Statement<[], number> {
  return { sql: `PRAGMA ${name}`, decode: (row) => numberColumn(row, name) };
}

interface Stamp {
  readonly name: DatabaseName;
  readonly storeId: string;
  /** Of a file that has none yet. */
  readonly mark: number;
  /** The identifiers that its tables may have given out: theirs go on above. */
  readonly lastIds: LastIds;
}

/** Writes into a database which one it is, unless it says so already. Part of the transaction that migrates it. */
export async function stamp(query: Query, { name, storeId, mark, lastIds }: Stamp): Promise<void> {
  const [applicationId] = await query(selectApplicationId, []);
  const own = applicationId === 0 ? storeId : await readIdentity(query);
  // A reset since then has the identifiers start at 1.
  if (own === storeId || storeOf(own) !== storeOf(storeId)) await raiseLastIds(query, lastIds);
  if (applicationId !== 0) return;
  await query(createIdentity, []);
  await query(insertIdentity, [storeId]);
  await query(pragma(`application_id = ${APPLICATION_IDS[name]}`), []);
  await query(pragma(`user_version = ${mark}`), []);
}

/** Has each table go on above a number. */
export async function raiseLastIds(query: Query, lastIds: LastIds): Promise<void> {
  for (const [table, current] of Object.entries(await readLastIds(query))) {
    const last = lastIds[table] ?? lastIds[OTHER_TABLES] ?? 0;
    if (last <= current) continue;
    await query(forgetLastId, [table]);
    await query(insertLastId, [table, BigInt(last)]);
  }
}

export async function readLastIds(query: Query): Promise<LastIds> {
  // SQLite makes it with the first table that gives out identifiers.
  if ((await query(selectSequences, [])).length === 0) return {};
  return Object.fromEntries(await query(selectLastIds, []));
}

interface ReadStamp {
  readonly mark: number;
  readonly storeId: string;
  readonly lastIds: LastIds;
}

/** Counts the mark of a file up by one; yields it, and what the file is and its last identifiers at that moment. */
export async function countMark(query: Query): Promise<ReadStamp> {
  const { mark, ...rest } = await readStamp(query);
  await query(pragma(`user_version = ${mark + 1}`), []);
  return { mark: mark + 1, ...rest };
}

/** The same, without counting. */
export async function readStamp(query: Query): Promise<ReadStamp> {
  const [mark = 0] = await query(selectMark, []);
  return { mark, storeId: await readIdentity(query), lastIds: await readLastIds(query) };
}

async function readIdentity(query: Query): Promise<string> {
  const [id = ""] = await query(selectIdentity, []);
  return id;
}

/** The list of the other files in the accounts database, unless it is there. */
export async function createList(query: Query): Promise<void> {
  for (const sql of LIST_TABLES) await query({ sql, decode: noRows }, []);
}
