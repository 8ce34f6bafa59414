import type { Int64 } from "exact-json/int64";
import { groupPatches, type PatchPart } from "./group-patches.ts";
import { type Append, columnsOf, type InsertedColumn, type Insertion } from "./insertion.ts";
import { type NamedValues, noRows, type Row, type SqlValue, type Statement } from "./statement.ts";

/**
 * A table whose rows can be changed by patches. If a member of a patch is undefined, its column stays unchanged. If it is null, the
 * column is cleared.
 */
export interface PatchedTable<Patch, Result> {
  readonly table: string;
  readonly columns: { readonly [Member in keyof Patch]-?: "TEXT" | "BIGINT" };
  /**
   * For each member of a patch, a function that receives the SQL for the new value, and returns an SQL condition. A row is changed only
   * if it meets the conditions of all members in the patch.
   */
  readonly conditions?: { readonly [Member in keyof Patch]?: (given: string) => string };
  /**
   * The member whose value must be unique. A change to this member may have to wait for another transaction that sets the same
   * value.
   */
  readonly unique?: keyof Patch;
  readonly list: string;
  readonly decode: (row: Row) => Result;
}

/** A patch whose values can be written to columns as they are. */
export type PatchOf<Patch> = { readonly [Member in keyof Patch]: SqlValue | undefined };

/** A patch for one row. It changes the row only if the row still has the values in `before`. */
interface RowPatch<Patch> {
  readonly id: Int64;
  readonly patch: Patch;
  readonly before: object;
  /** The log entry for the change. Undefined if the patch changes no value. */
  readonly entry: NamedValues | undefined;
}

/** A row to insert together with a change to another row. Its log entry comes before the log entry of the change. */
export interface AddedRow<Result> {
  readonly insertion: Insertion<never, Result>;
  readonly values: NamedValues;
  readonly entry: NamedValues;
  /** The member of a log entry that receives the identifier of the inserted row. */
  readonly identifier: string;
}

interface Part extends PatchPart, Pick<Statement<never, unknown>, "decode"> {}

type ValuesInOrder = readonly SqlValue[];

/**
 * A statement that makes a change and may also insert rows. `inserted` lists, for each inserted row, the members whose values the
 * statement takes.
 */
interface Change {
  readonly statement: Statement<ValuesInOrder, unknown>;
  readonly inserted: readonly (readonly string[])[];
}

/**
 * Creates statements that change a row, append the change to a log, and may insert another row. They change nothing if the row no
 * longer has the values in `before`, so they need no transaction even though `before` was read earlier.
 */
export function comparedPatch<Patch extends PatchOf<Patch>, Result>(
  table: PatchedTable<Patch, Result>,
  append: Append<never>,
) {
  const columns = columnsOf(table.columns);
  const memberOf = (values: object, { member }: InsertedColumn): SqlValue | undefined =>
    Reflect.get(values, member);
  const changes = new Map<string, Change>();
  return <Answer = Result>({ id, patch, before, entry }: RowPatch<Patch>, added?: AddedRow<Answer>) => {
    const given = columns.filter((column) => memberOf(patch, column) !== undefined);
    const name = `${given.map(({ member }) => member)} ${entry !== undefined} ${added?.insertion.table}`;
    const change = changes.get(name) ?? changeOf(table, { columns, given }, partsOf(append, entry, added));
    changes.set(name, change);
    const rows = [added?.values, added?.entry, entry].filter((row) => row !== undefined);
    const values: SqlValue[] = [
      id,
      ...given.map((column) => memberOf(patch, column) ?? null),
      ...columns.map((column) => memberOf(before, column) ?? null),
      ...change.inserted.flatMap((named, index) => named.map((member) => rows[index]?.[member] ?? null)),
    ];
    // The statement returns the inserted row or, if none was inserted, the changed row.
    return { statement: change.statement as Statement<ValuesInOrder, Answer>, values };
  };
}

function partsOf(
  { log, columns }: Append<never>,
  entry: NamedValues | undefined,
  added: AddedRow<unknown> | undefined,
): readonly Part[] {
  const entryPart = { table: log, columns, returning: "", decode: noRows };
  const entries = entry === undefined ? [] : [entryPart];
  if (added === undefined) return entries;
  const { insertion, identifier } = added;
  return [{ ...insertion, returning: insertion.list }, { ...entryPart, identifier }, ...entries];
}

/**
 * The columns of one patch and its table: `columns` are all columns that can be patched, and `given` are those that this patch
 * changes.
 */
interface PatchColumns {
  readonly columns: readonly InsertedColumn[];
  readonly given: readonly InsertedColumn[];
}

function changeOf<Patch>(
  table: PatchedTable<Patch, unknown>,
  patched: PatchColumns,
  parts: readonly Part[],
): Change {
  const { columns, given } = patched;
  const count = 1 + given.length + columns.length;
  const sql = patchText(table, patched);
  const { decode } = parts.find(({ returning }) => returning !== "") ?? table;
  const insertedColumns = parts.map((part) =>
    part.columns.filter(({ member }) => member !== part.identifier),
  );
  const inserted = insertedColumns.map((named) => named.map(({ member }) => member));
  const steps = [
    { statement: { sql, decode: table.decode }, count },
    ...parts.map((part, index) => ({ statement: aloneOf(part), count: inserted[index]?.length ?? 0 })),
  ];
  const waits = given.length === 0 || given.some(({ member }) => member === table.unique);
  const types = ["BIGINT", ...[given, columns, ...insertedColumns].flat().map(({ type }) => type)];
  const first = count + 1;
  const unlessLocked = () => ({
    sql: groupPatches({
      ...{ table: table.table, list: table.list, given, types, parts, first },
      conditionOf: (valueAt) => conditionOf(table, patched, valueAt),
    }),
    decode,
  });
  const compared = { steps, appends: parts.length > 0, ...(!waits && { unlessLocked: unlessLocked() }) };
  return { statement: { sql: combine(sql, parts, first), decode, compared }, inserted };
}

/** Returns the SQL text that changes a row. If a patch changes no column, the text only compares the row with `before`. */
function patchText<Patch>(table: PatchedTable<Patch, unknown>, patched: PatchColumns): string {
  const row = conditionOf(table, patched, (number) => `$${number}`);
  if (patched.given.length === 0) return `SELECT ${table.list} FROM ${table.table} WHERE ${row}`;
  const set = patched.given.map(({ name }, index) => `${name} = $${index + 2}`).join(", ");
  return `UPDATE ${table.table} SET ${set} WHERE ${row} RETURNING ${table.list}`;
}

/**
 * Returns the SQL condition under which a patch may change a row.
 *
 * @param valueAt returns the SQL for one value of the patch, given its number
 */
function conditionOf<Patch>(
  { conditions = {} }: PatchedTable<Patch, unknown>,
  { columns, given }: PatchColumns,
  valueAt: (number: number) => string,
): string {
  const ofMembers: Readonly<Record<string, ((given: string) => string) | undefined>> = conditions;
  return [
    `id = ${valueAt(1)}`,
    ...given.map(({ member }, index) => ofMembers[member]?.(valueAt(index + 2))),
    ...columns.map(({ name }, index) => `${name} IS NOT DISTINCT FROM ${valueAt(2 + given.length + index)}`),
  ]
    .filter((condition) => condition !== undefined)
    .join(" AND ");
}

/**
 * Combines a change and its parts (inserted rows and log entries) into one statement. To fix their order, each part selects from
 * the previous one. The order matters: the row must be locked before the log, because another transaction that has locked the row
 * may also hold the log's lock.
 *
 * @param first the number of the placeholder for the first value of the parts
 */
function combine(change: string, parts: readonly Part[], first: number): string {
  let number = first;
  let previous = "changed";
  const inserts = parts.map((part, index) => {
    const cells = part.columns.map(({ member, type }) =>
      member === part.identifier ? "id" : `CAST($${number++} AS ${type})`,
    );
    const insert = `${insertInto(part)} SELECT ${cells.join(", ")} FROM ${previous}`;
    previous = `part_${index}`;
    return `, ${previous} AS (${insert} RETURNING ${part.returning || "id"})`;
  });
  const answer = parts.findIndex(({ returning }) => returning !== "");
  return `WITH changed AS (${change})${inserts.join("")} SELECT * FROM ${answer < 0 ? "changed" : `part_${answer}`}`;
}

/** Returns a statement that inserts a single row or log entry. It is for engines that need a separate statement for each. */
function aloneOf(part: Part): Statement<ValuesInOrder, unknown> {
  let number = 1;
  const cells = part.columns.map(({ member }) =>
    member === part.identifier ? "last_insert_rowid()" : `$${number++}`,
  );
  const returning = part.returning && ` RETURNING ${part.returning}`;
  return { sql: `${insertInto(part)} VALUES (${cells.join(", ")})${returning}`, decode: part.decode };
}

function insertInto({ table, columns }: Part): string {
  return `INSERT INTO ${table} (${columns.map(({ name }) => name).join(", ")})`;
}
