import type { Int64 } from "exact-json/int64";
import { type Context, keyIdOf } from "../context.ts";
import { readFoundPage, readPage } from "../contract/cursor.ts";
import type { Input, Page } from "../contract/operation.ts";
import { scan } from "../contract/scan.ts";
import { ServiceError } from "../errors.ts";
import { type CreateContext, change } from "../events/change.ts";
import { PAGE_SIZE_DEFAULT } from "../limits.ts";
import type { Maybe } from "../platform/maybe.ts";
import type { Creation } from "../storage/insertion.ts";
import { found, singleRow } from "../storage/row.ts";
import type { Pet, petOperations } from "./contract.ts";
import { insertPet, patchPet, readPets, removePet, selectOpenOrderId, selectPet } from "./store.ts";
import { nameMatcher, wordsOf } from "./words.ts";

export function listPets(ctx: Context, input: Input<typeof petOperations.listPets>): Maybe<Page<Pet>> {
  const { status, hasStatus, categoryId, name, id: ids, cursor } = input;
  const paging = { limit: input.limit ?? ids?.length ?? PAGE_SIZE_DEFAULT, cursor };
  const read = (below: bigint, count: number) =>
    readPets(ctx.query, { status, hasStatus, categoryId, ids, below }, count);
  if (name === undefined)
    return readPage(ctx, paging, ["listPets", status, hasStatus, categoryId, ids], read);
  const words = wordsOf(name);
  const hasWords = nameMatcher(words);
  const search = { owner: keyIdOf(ctx.actor), read, matches: (pet: Pet) => hasWords(pet.name) };
  return readFoundPage(ctx, paging, ["listPets", status, hasStatus, categoryId, ids, words], (below, count) =>
    scan(search, below, count),
  );
}

export function createPet(
  { create }: CreateContext,
  { body }: Input<typeof petOperations.createPet>,
): Creation<Pet> {
  const { name, categoryId, status = null, ...rest } = body;
  // A member added to the body does not compile until it is used.
  rest satisfies Record<string, never>;
  return create(insertPet, [name, categoryId, status], body);
}

/** An animal by its identifier. @throws ServiceError `not_found` */
export function getPet(ctx: Context, { petId }: Input<typeof petOperations.getPet>): Maybe<Pet> {
  return found(ctx.query(selectPet, [petId]), "animal", petId);
}

/** Changes an animal. @throws ServiceError `not_found`, `pet_has_open_order` */
export async function updatePet(ctx: Context, input: Input<typeof petOperations.updatePet>): Promise<Pet> {
  const { petId, body } = input;
  const before = await getPet(ctx, { petId });
  const pet = await change(ctx, ...patchPet(petId, body), { before });
  return pet ?? refuseDuringOrder(ctx, petId);
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
