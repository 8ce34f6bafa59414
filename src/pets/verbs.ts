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
  // A member added to the body does not compile until it is used.
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
      ? await change(ctx, patchPet, [petId, name, categoryId], { before })
      : await change(ctx, patchPetWithStatus, [petId, name, categoryId, status], { before });
  if (pet === undefined) return refuseDuringOrder(ctx, petId);
  return pet;
}

/** Removes an animal without an open order. @throws ServiceError `not_found`, `pet_has_open_order` */
export async function deletePet(
  ctx: Context,
  { petId }: Input<typeof petOperations.deletePet>,
): Promise<undefined> {
  const removed = await change(ctx, removePet, [petId]);
  if (removed === undefined) return refuseDuringOrder(ctx, petId);
}

/** Always throws: an animal's open order forbids a change. @throws ServiceError `not_found`, `pet_has_open_order` */
async function refuseDuringOrder(ctx: Context, petId: Int64): Promise<never> {
  await getPet(ctx, { petId });
  const orderId = singleRow(await ctx.query(selectOpenOrderId, [petId]));
  throw new ServiceError(
    "pet_has_open_order",
    `Animal ${petId} has an open order: ${orderId}. Complete or cancel it first.`,
  );
}

interface Search {
  readonly query: Query;
  readonly filter: PetFilter;
  readonly words: readonly string[];
  readonly count: number;
}

/**
 * Finds animals whose names have all words, newest first. Stops before the page is full once `SEARCH_PETS_MAX` animals or
 * `SEARCH_CHARACTERS_MAX` characters of names have been scanned.
 */
async function findPets({ query, filter, words, count }: Search): Promise<Found<Pet>> {
  const matches = foldedMatcher(words);
  const found: Pet[] = [];
  let foundCharacters = 0;
  let scannedCharacters = 0;
  let scanned = 0;
  for await (const { pets, end } of readBatches(query, filter, count)) {
    for (const pet of pets) {
      // This animal is the first of the next page.
      if (scanned++ === SEARCH_PETS_MAX) return { items: found, end: BigInt(pet.id) + 1n };
      const text = folded(pet.name);
      if (matches(text)) {
        found.push(pet);
        foundCharacters += pet.name.length;
      }
      scannedCharacters += Math.max(text.length, pet.name.length);
      // The rest of the batch is left to the next page: a thousand names of 64 kB take seconds.
      if (scannedCharacters > SEARCH_CHARACTERS_MAX) return { items: found, end: BigInt(pet.id) };
    }
    // At least one animal a page; the one after it shows that there is a next page.
    const isFull = found.length >= count || (foundCharacters > PAGE_BYTES_MAX && found.length > 1);
    if (isFull) return { items: found, end };
  }
  return { items: found };
}

/** Reads the filtered animals in batches, newest first. `end` is the last identifier of a batch that another may follow. */
async function* readBatches(query: Query, filter: PetFilter, firstRows: number) {
  let { below } = filter;
  for (let rows = firstRows; ; ) {
    const pets = await readPets(query, { ...filter, below }, rows);
    const last = pets.length < rows ? undefined : pets.at(-1);
    yield { pets, end: last && BigInt(last.id) };
    if (last === undefined) return;
    below = BigInt(last.id);
    const characters = pets.reduce((sum, { name }) => sum + name.length, 0);
    rows = characters > PAGE_BYTES_MAX / 4 ? LONG_ROWS_READ : Math.min(2 * rows, SEARCH_ROWS_MAX);
    // Lets other requests run: an embedded engine's reads are synchronous.
    await new Promise(setImmediate);
  }
}
