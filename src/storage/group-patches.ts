import type { InsertedColumn } from "./insertion.ts";

/** A row or a log entry that a statement inserts together with its change. */
export interface PatchPart {
  readonly table: string;
  readonly columns: readonly InsertedColumn[];
  /** Only for the log entry of an inserted row: the entry's member that receives the row's identifier. */
  readonly identifier?: string | undefined;
  /** The columns that the insertion returns. Empty for a log entry. */
  readonly returning: string;
}

interface GroupedPatch {
  readonly table: string;
  readonly list: string;
  /** The columns that a patch changes. Their new values are called `cell_2`, `cell_3` and so on. */
  readonly given: readonly InsertedColumn[];
  /**
   * Returns the SQL condition under which a row may be changed. `valueAt` returns the SQL for one value of the change, given its
   * number.
   */
  readonly conditionOf: (valueAt: (number: number) => string) => string;
  /** The types of the change's values, in the order of the values. The first value is the row's identifier. */
  readonly types: readonly string[];
  /** The inserted row, if there is one, and the log entries. */
  readonly parts: readonly PatchPart[];
  /** The number of the first value of `parts`, counted among all values of the change. The values of `parts` come last. */
  readonly first: number;
}

/**
 * Builds a statement that makes many changes of the same kind (`Compared.unlessLocked`), so that they share one round trip and one
 * flush to disk. If several changes are for the same row, only the first one is made.
 *
 * The statement is written so that PostgreSQL always finds the rows by their identifiers, even with a plan that was made while the
 * table was small. To achieve this, each row is locked in a separate subquery, and the rows are updated by a list of identifiers
 * and not by a join.
 */
export function groupPatches({ table, list, given, conditionOf, types, parts, first }: GroupedPatch): string {
  const [cells, arrays] = [types.map((_, index) => cell(index + 1)), types.map(arrayAt)];
  const set = given.map(({ name }) => name).join(", ");
  const values = given.map((_, index) => cell(index + 2)).join(", ");
  const inserted = insertedParts(parts, first);
  const added = inserted.find(({ part }) => part.returning !== "");
  const entries = inserted.filter(({ part }) => part.returning === "");
  return `WITH given AS MATERIALIZED (
      SELECT * FROM unnest(${arrays.join(", ")}) WITH ORDINALITY AS u(${cells.join(", ")}, place)
    ), locked AS MATERIALIZED (
      SELECT DISTINCT ON (cell_1) given.* FROM given CROSS JOIN LATERAL (
        SELECT id FROM ${table} WHERE ${conditionOf(cell)} FOR NO KEY UPDATE SKIP LOCKED
      ) AS free ORDER BY cell_1, place
    ), changed AS (
      UPDATE ${table} SET (${set}) = (SELECT ${values} FROM locked WHERE cell_1 = ${table}.id)
      WHERE id = ANY (ARRAY(SELECT cell_1 FROM locked)) RETURNING ${list}
    ), settled AS MATERIALIZED (
      SELECT *${added ? `, nextval('${added.part.table}_id_seq') AS added_id` : ""}
      FROM (SELECT locked.* FROM locked JOIN changed ON id = cell_1 ORDER BY place) AS ordered
    )${added ? insertAdded(added) : ""}${appendEntries(entries)}
    SELECT place, ${added ? "added.* FROM added JOIN settled ON id = added_id" : "changed.* FROM changed JOIN settled ON id = cell_1"}`;
}

interface InsertedPart {
  readonly part: PatchPart;
  readonly cells: readonly string[];
}

/**
 * Returns the rows and log entries to insert, each with the SQL for its values.
 *
 * @param first the number of the first such value, counted among all values of the change
 */
function insertedParts(parts: readonly PatchPart[], first: number): readonly InsertedPart[] {
  let number = first;
  return parts.map((part) => ({
    part,
    cells: part.columns.map(({ member }) => (member === part.identifier ? "added_id" : cell(number++))),
  }));
}

function insertAdded({ part: { table, columns, returning }, cells }: InsertedPart): string {
  return `, added AS (
      INSERT INTO ${table} (id, ${namesOf(columns)}) SELECT added_id, ${cells.join(", ")} FROM settled ORDER BY place
      RETURNING ${returning}
    )`;
}

/**
 * Returns SQL that appends the log entries in the order of the changes. Several entries of one change are in the order of
 * `entries`.
 */
function appendEntries(entries: readonly InsertedPart[]): string {
  const [first] = entries;
  if (first === undefined) return "";
  const names = namesOf(first.part.columns);
  const rows = entries.map(({ cells }, index) => `(${[index, ...cells].join(", ")})`);
  return `, appended AS (
      INSERT INTO ${first.part.table} (${names}) SELECT ${names}
      FROM settled CROSS JOIN LATERAL (VALUES ${rows.join(", ")}) AS entry(position, ${names})
      ORDER BY place, position
    )`;
}

function namesOf(columns: readonly InsertedColumn[]): string {
  return columns.map(({ name }) => name).join(", ");
}

function cell(number: number): string {
  return `cell_${number}`;
}

function arrayAt(type: string, index: number): string {
  return `$${index + 1}::${type}[]`;
}
