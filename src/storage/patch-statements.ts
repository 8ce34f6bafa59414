import type { Int64 } from "exact-json/int64";
import type { Append, InsertedColumn, Insertion } from "./insertion.ts";
import { type NamedValues, noRows, type Row, type SqlValue, type Statement } from "./statement.ts";

/** A table whose rows are changed by patches. A member that is undefined leaves its column unchanged, and null clears it. */
export interface PatchedTable<Patch, Result> {
  readonly table: string;
  /** The column for each member that a patch may have. */
  readonly columns: { readonly [Member in keyof Patch]-?: string };
  /**
   * SQL conditions on a member's new value, whose placeholder (`$…`) is passed to the function. The row is changed only if the
   * conditions of all members in the patch hold.
   */
  readonly conditions?: { readonly [Member in keyof Patch]?: (given: string) => string };
  /** The member whose value must be unique. Setting it may have to wait for another transaction that sets the same value. */
  readonly unique?: keyof Patch;
  readonly list: string;
  readonly decode: (row: Row) => Result;
}

/** A patch whose members are column values. */
export type PatchOf<Patch> = { readonly [Member in keyof Patch]: SqlValue | undefined };

/** A patch of one row, with the values that the row must still have. */
interface RowPatch<Patch> {
  readonly id: Int64;
  readonly patch: Patch;
  readonly before: object;
  /** The log entry of the change. It is absent if the patch changes no value. */
  readonly entry: NamedValues | undefined;
}

/** A row that is inserted if the patch changes its own row. Its log entry comes before that of the patch. */
export interface AddedRow<Result> {
  readonly insertion: Insertion<never, Result>;
  readonly values: NamedValues;
  readonly entry: NamedValues;
  /** The member of the entry that will contain the added row's identifier. */
  readonly identifier: string;
}

/** A row or a log entry that is inserted together with a change. */
interface Part extends Pick<Statement<never, unknown>, "decode"> {
  readonly table: string;
  readonly columns: readonly InsertedColumn[];
  /** The member that contains the identifier of the row that was inserted before. It is undefined if no member does. */
  readonly identifier?: string | undefined;
  readonly returning: string;
}

type ValuesInOrder = readonly SqlValue[];

/** The statement for a change, and for each inserted part, the members that have values. */
interface Change {
  readonly statement: Statement<ValuesInOrder, unknown>;
  readonly inserted: readonly (readonly string[])[];
}

/**
 * Creates the statements that change a row, add another row if one is given, and append the log entries. Nothing is changed if the
 * row no longer has the values in `before`. Such a statement therefore needs no transaction, although those values were read
 * earlier.
 */
export function comparedPatch<Patch extends PatchOf<Patch>, Result>(
  table: PatchedTable<Patch, Result>,
  append: Append<never>,
) {
  const members = Object.keys(table.columns) as (keyof Patch & string)[];
  const changes = new Map<string, Change>();
  return <Answer = Result>({ id, patch, before, entry }: RowPatch<Patch>, added?: AddedRow<Answer>) => {
    const given = members.filter((member) => patch[member] !== undefined);
    const name = `${given.join()} ${entry !== undefined} ${added?.insertion.table}`;
    const change = changes.get(name) ?? changeOf(table, given, partsOf(append, entry, added));
    changes.set(name, change);
    const rows = [added?.values, added?.entry, entry].filter((row) => row !== undefined);
    const values: SqlValue[] = [
      id,
      ...given.map((member) => patch[member] ?? null),
      ...members.map((member): SqlValue => Reflect.get(before, member) ?? null),
      ...change.inserted.flatMap((named, index) => named.map((member) => rows[index]?.[member] ?? null)),
    ];
    // The statement returns the added row or, if there is none, the changed row.
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

function changeOf<Patch>(
  table: PatchedTable<Patch, unknown>,
  given: readonly (keyof Patch)[],
  parts: readonly Part[],
): Change {
  const { sql, unlessLocked, count } = patchTexts(table, given);
  const { decode } = parts.find(({ returning }) => returning !== "") ?? table;
  const inserted = parts.map((part) =>
    part.columns.map(({ member }) => member).filter((member) => member !== part.identifier),
  );
  const steps = [
    { statement: { sql, decode: table.decode }, count },
    ...parts.map((part, index) => ({ statement: aloneOf(part), count: inserted[index]?.length ?? 0 })),
  ];
  const combined = (changed: string) => ({ sql: combine(changed, parts, count + 1), decode });
  const waits = table.unique !== undefined && given.includes(table.unique);
  const compared = {
    ...{ steps, appends: parts.length > 0 },
    ...(!waits && unlessLocked !== undefined && { unlessLocked: combined(unlessLocked) }),
  };
  return { statement: { ...combined(`changed AS (${sql})`), compared }, inserted };
}

/**
 * Returns the text that changes the row, the text that does so unless another transaction has locked the row, and the number of
 * their values.
 */
function patchTexts<Patch>(
  { table, columns, conditions = {}, list }: PatchedTable<Patch, unknown>,
  given: readonly (keyof Patch)[],
) {
  const compared = Object.values<string>(columns);
  const first = 2 + given.length;
  const count = 1 + given.length + compared.length;
  const row = [
    "id = $1",
    ...given.map((member, index) => conditions[member]?.(`$${index + 2}`)),
    ...compared.map((column, index) => `${column} IS NOT DISTINCT FROM $${first + index}`),
  ]
    .filter((condition) => condition !== undefined)
    .join(" AND ");
  if (given.length === 0) return { sql: `SELECT ${list} FROM ${table} WHERE ${row}`, count };
  const update = `UPDATE ${table} SET ${given.map((member, index) => `${columns[member]} = $${index + 2}`).join(", ")}`;
  return {
    count,
    sql: `${update} WHERE ${row} RETURNING ${list}`,
    unlessLocked: `found AS (SELECT id AS found_id FROM ${table} WHERE ${row} FOR NO KEY UPDATE SKIP LOCKED),
      changed AS (${update} FROM found WHERE id = found_id RETURNING ${list})`,
  };
}

/**
 * Combines a change and its parts into one statement, in which each part follows the one before. The log is locked only after
 * waiting for any other transaction that changes the same row, because that transaction may hold the log's lock.
 *
 * @param first the number of the parts' first value
 */
function combine(changed: string, parts: readonly Part[], first: number): string {
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
  return `WITH ${changed}${inserts.join("")} SELECT * FROM ${answer < 0 ? "changed" : `part_${answer}`}`;
}

/** Returns the statement that inserts a part, for an engine that runs the parts one by one. */
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
