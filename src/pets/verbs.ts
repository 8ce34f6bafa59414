import type { Int64 } from "exact-json/int64";
import type { Context } from "../context.ts";
import { type Found, readFoundPage, readPage } from "../contract/cursor.ts";
import type { Input, Page } from "../contract/operation.ts";
import { ServiceError } from "../errors.ts";
import { type CreateContext, change } from "../events/change.ts";
import { LONG_ROWS_READ, PAGE_BYTES_MAX, PAGE_SIZE_DEFAULT, SEARCH_PETS_MAX } from "../limits.ts";
import { andThen, type Maybe } from "../platform/maybe.ts";
import type { Query } from "../storage/database.ts";
import { singleRow } from "../storage/row.ts";
import type { Pet, petOperations } from "./contract.ts";
import {
  insertPet,
  type PetFilter,
  patchPet,
  patchPetWithStatus,
  removePet,
  selectOpenOrderId,
  selectPet,
  selectPetPage,
} from "./store.ts";
import { folded, foldedMatcher, wordsOf } from "./words.ts";

const SEARCH_CHARACTERS_MAX = 2 * 1024 * 1024; // characters of names that one request of a search scans; its page then ends, with a `next`
export const SEARCH_ROWS_MAX = 250; // rows in one statement of a search: other requests run after it

export function listPets(ctx: Context, input: Input<typeof petOperations.listPets>): Maybe<Page<Pet>> {
  const { status, categoryId, name, id: ids, cursor } = input;
  const paging = { limit: input.limit ?? ids?.length ?? PAGE_SIZE_DEFAULT, cursor };
  if (name === undefined) {
    return readPage(ctx, paging, ["listPets", status, categoryId, ids], (below, count) =>
      readPets(ctx.query, { status, categoryId, ids, below }, count),
    );
  }
  const words = wordsOf(name);
  return readFoundPage(ctx, paging, ["listPets", status, categoryId, ids, words], (below, count) =>
    findPets({ query: ctx.query, filter: { status, categoryId, ids, below }, words, count }),
  );
}

function readPets(query: Query, filter: PetFilter, limit: number): Maybe<readonly Pet[]> {
  const { statement, values } = selectPetPage(filter, limit);
  return query(statement, values);
}

export function createPet(
  { create }: CreateContext,
  { body }: Input<typeof petOperations.createPet>,
): Maybe<Pet> {
  const { name, categoryId, status = null, ...rest } = body;
  rest satisfies Record<string, never>;
  return create(insertPet, [name, categoryId, status], body);
}

/** An animal by its number. @throws ServiceError `not_found` */
export function getPet(ctx: Context, { petId }: Input<typeof petOperations.getPet>): Maybe<Pet> {
  return andThen(ctx.query(selectPet, [petId]), ([pet]) => {
    if (pet === undefined) throw new ServiceError("not_found", `There is no animal ${petId}.`);
    return pet;
  });
}

/** Changes an animal. @throws ServiceError `not_found`, `pet_has_open_order` */
export async function updatePet(ctx: Context, input: Input<typeof petOperations.updatePet>): Promise<Pet> {
  const { petId, body: patch } = input;
  const { name = null, categoryId = null, status, ...rest } = patch;
  rest satisfies Record<string, never>;
  const before = await getPet(ctx, { petId });
  const pet =
    status === undefined
      ? await change(ctx, patchPet, [petId, name, categoryId], before)
      : await change(ctx, patchPetWithStatus, [petId, name, categoryId, status], before);
  if (pet === undefined) throw await openOrderError(ctx, petId);
  return pet;
}

/** Removes an animal without an open order. @throws ServiceError `not_found`, `pet_has_open_order` */
export async function deletePet(
  ctx: Context,
  { petId }: Input<typeof petOperations.deletePet>,
): Promise<undefined> {
  const removed = await change(ctx, removePet, [petId]);
  if (removed === undefined) throw await openOrderError(ctx, petId);
}

/** The error for an animal that could not be changed: `pet_has_open_order` if it exists, else `not_found`. */
async function openOrderError(ctx: Context, petId: Int64): Promise<ServiceError> {
  await getPet(ctx, { petId });
  const orderId = singleRow(await ctx.query(selectOpenOrderId, [petId]));
  return new ServiceError(
    "pet_has_open_order",
    `Animal ${petId} has an open order: ${orderId}. Complete or cancel it first.`,
  );
}

interface Search {
  readonly query: Query;
  readonly filter: PetFilter & { readonly below: bigint };
  readonly words: readonly string[];
  readonly count: number;
}

/**
 * Animals whose names have all words, newest first. Reads batches, and stops before the page is full once `SEARCH_PETS_MAX`
 * animals or `SEARCH_CHARACTERS_MAX` characters of names have been scanned.
 */
async function findPets({ query, filter, words, count }: Search): Promise<Found<Pet>> {
  const matches = foldedMatcher(words);
  const found: Pet[] = [];
  let foundCharacters = 0;
  let characters = 0;
  let looked = 0;
  let rows = count;
  for (let end = filter.below; ; ) {
    // One row above the limit shows that there is a next page.
    const asked = Math.min(rows, SEARCH_PETS_MAX - looked + 1);
    const pets = await readPets(query, { ...filter, below: end }, asked);
    const before = characters;
    for (const pet of pets) {
      if (looked === SEARCH_PETS_MAX) return { items: found, end: BigInt(pet.id) + 1n };
      looked++;
      const text = folded(pet.name);
      characters += Math.max(text.length, pet.name.length);
      if (matches(text)) {
        found.push(pet);
        foundCharacters += pet.name.length;
      }
      // The rest of the batch is left to the next page: a thousand names of 64 kB take seconds.
      if (characters > SEARCH_CHARACTERS_MAX) return { items: found, end: BigInt(pet.id) };
    }
    const last = pets.length < asked ? undefined : pets.at(-1);
    // At least one animal a page; the one after it shows that there is a next page.
    const isFull = found.length >= count || (foundCharacters > PAGE_BYTES_MAX && found.length > 1);
    if (last === undefined || isFull) return { items: found, end: last && BigInt(last.id) };
    end = BigInt(last.id);
    rows = characters - before > PAGE_BYTES_MAX / 4 ? LONG_ROWS_READ : Math.min(2 * rows, SEARCH_ROWS_MAX);
    // Lets other requests run: an embedded engine's reads are synchronous.
    await new Promise(setImmediate);
  }
}
