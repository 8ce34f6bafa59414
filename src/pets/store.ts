import type { Int64 } from "exact-json/int64";
import { type ChangeStatement, changesOf } from "../events/change.ts";
import type { Maybe } from "../platform/maybe.ts";
import type { Query, ResetPart } from "../storage/database.ts";
import { type ColumnsOf, insertion } from "../storage/insertion.ts";
import { createPageStatements } from "../storage/page-statements.ts";
import { enumOf, int64Column, int64Of, textOf, type Whole } from "../storage/row.ts";
import { type Row, type Statement, statement } from "../storage/statement.ts";
import { PET_STATUSES, type Pet, type PetPatch, type PetStatus } from "./contract.ts";
import { petEvents } from "./events.ts";

const { changing, creating, patching } = changesOf(petEvents);

/**
 * Decodes an animal's row by hand, because the general decoder `members` takes twice as long, and no other kind of row is read as
 * often.
 */
function decodePet(row: Row): Whole<Pet> {
  const { status, external_id: externalId } = row;
  return {
    id: int64Of(row["id"], "id"),
    name: textOf(row["name"], "name"),
    categoryId: int64Of(row["category_id"], "category_id"),
    status: status === null ? undefined : enumOf(PET_STATUSES, status, "status"),
    // If an animal without an external identifier is inserted, the returned row lacks the column `external_id`.
    externalId:
      externalId === null || externalId === undefined ? undefined : textOf(externalId, "external_id"),
  };
}

const COLUMNS = {
  name: "TEXT",
  categoryId: "BIGINT",
  status: "TEXT",
} as const satisfies Partial<ColumnsOf<Pet>>;

const petInsertion = insertion("pet", COLUMNS, decodePet);

/** Adds an animal in a transaction that makes other changes, too. Use `insertPet` if the animal is the only change. */
export const addPet = changing("pet.created", petInsertion);

export const insertPet = creating("pet.created", petInsertion);

const NUMBERED_COLUMNS = { ...COLUMNS, externalId: "TEXT" } as const satisfies ColumnsOf<Pet>;

const numberedInsertion = insertion("pet", NUMBERED_COLUMNS, decodePet, { isUnique: true });

/**
 * Inserts an animal with an external identifier, as the only change of a transaction. Fails if another animal already has the
 * identifier.
 */
export const insertNumberedPet = creating("pet.created", numberedInsertion);

export const PET_COLUMNS = numberedInsertion.list;

export const selectPet: Statement<[id: Int64], Pet> = statement(
  `SELECT ${PET_COLUMNS} FROM pet WHERE id = $1`,
  decodePet,
);

export const selectPetByExternalId: Statement<[externalId: string], Pet> = {
  ...statement(`SELECT ${PET_COLUMNS} FROM pet WHERE external_id = $1`, decodePet),
  // The query must run on the primary: it finds the animal whose external identifier made the primary refuse another animal, and a
  // standby may not have that animal yet.
  isOfPrimary: true,
};

/**
 * SQL condition for an open order. It is written so that the query planner can use only the index on open orders. With `complete =
 * 0`, the planner could use the index on `complete`, and read all open orders of the store for each animal.
 */
export const IS_OPEN = "completed_at IS NULL";
const WITHOUT_OPEN_ORDER = `NOT EXISTS (SELECT 1 FROM store_order WHERE pet_id = pet.id AND ${IS_OPEN})`;

/**
 * Sets the given members. Returns no row if somebody else has changed the animal since it was read, if another animal has the
 * external identifier, or if the status would change while the animal has an open order.
 */
export const patchPet = patching<PetPatch, Pet>("pet.updated", {
  table: "pet",
  columns: NUMBERED_COLUMNS,
  unique: "externalId",
  conditions: {
    status: () => WITHOUT_OPEN_ORDER,
    externalId: (given) =>
      `NOT EXISTS (SELECT 1 FROM pet AS other WHERE other.external_id = ${given} AND other.id <> pet.id)`,
  },
  list: PET_COLUMNS,
  decode: decodePet,
});

export const sellPet: ChangeStatement<[id: Int64], Pet> = changing(
  "pet.updated",
  statement(`UPDATE pet SET status = 'sold' WHERE id = $1 RETURNING ${PET_COLUMNS}`, decodePet),
);

/** Makes a reserved animal available again. */
export const releasePet: ChangeStatement<[id: Int64], Pet> = changing(
  "pet.updated",
  statement(`UPDATE pet SET status = 'available' WHERE id = $1 RETURNING ${PET_COLUMNS}`, decodePet),
);

export const selectOpenOrderId: Statement<[petId: Int64], Int64> = statement(
  `SELECT id FROM store_order WHERE pet_id = $1 AND ${IS_OPEN}`,
  int64Column("id"),
);

export const removePet: ChangeStatement<[id: Int64], Pet> = changing(
  "pet.deleted",
  statement(`DELETE FROM pet WHERE id = $1 AND ${WITHOUT_OPEN_ORDER} RETURNING ${PET_COLUMNS}`, decodePet),
);

export interface PetFilter {
  readonly status?: PetStatus | undefined;
  readonly hasStatus?: boolean | undefined;
  readonly categoryId?: Int64 | undefined;
  readonly ids?: readonly Int64[] | undefined;
  readonly externalIds?: readonly string[] | undefined;
  readonly below: bigint;
}

/** The lengths to which lists of identifiers are padded, so that the database has to prepare only a few different statements. */
const ID_LIST_LENGTHS = [1, 10, 20, 100] as const;

const pageOf = createPageStatements(
  "pet",
  PET_COLUMNS,
  ["status", "category_id", "id", "external_id"],
  decodePet,
);

const ANY_STATUS = { ranges: PET_STATUSES };

export function selectPetPage(
  { status, hasStatus, categoryId, ids, externalIds, below }: PetFilter,
  limit: number,
) {
  const wanted = status ?? (hasStatus === undefined ? undefined : hasStatus ? ANY_STATUS : null);
  return pageOf([wanted, categoryId, ids && padded(ids), externalIds && padded(externalIds)], below, limit);
}

export function readPets(query: Query, filter: PetFilter, limit: number): Maybe<readonly Pet[]> {
  if (filter.status !== undefined && filter.hasStatus === false) return [];
  const { statement, values } = selectPetPage(filter, limit);
  return query(statement, values);
}

function padded<Id extends Int64 | string>(ids: readonly Id[]): readonly Id[] {
  const length = ID_LIST_LENGTHS.find((candidate) => candidate >= ids.length) ?? ids.length;
  const last = ids.at(-1);
  const list = [...ids];
  while (last !== undefined && list.length < length) list.push(last);
  return list;
}

export const petReset: ResetPart = { restarting: ["pet"] };
