import type { Int64 } from "exact-json/int64";
import { type Context, keyIdOf } from "../context.ts";
import { readFoundPage, readPage } from "../contract/cursor.ts";
import type { Input, Page } from "../contract/operation.ts";
import { scan } from "../contract/scan.ts";
import { ServiceError } from "../errors.ts";
import { type CreateContext, changeWithEvent, patchWithEvent, unexplained } from "../events/change.ts";
import { PAGE_SIZE_DEFAULT } from "../limits.ts";
import type { Maybe } from "../platform/maybe.ts";
import type { AwaitedQuery, Creation, Query } from "../storage/database.ts";
import { found } from "../storage/row.ts";
import type { Pet, petOperations } from "./contract.ts";
import {
  insertNumberedPet,
  insertPet,
  patchPet,
  readPets,
  removePet,
  selectOpenOrderId,
  selectPet,
  selectPetByExternalId,
} from "./store.ts";
import { nameMatcher, wordsOf } from "./words.ts";

export function listPets(ctx: Context, input: Input<typeof petOperations.listPets>): Maybe<Page<Pet>> {
  const { status, hasStatus, categoryId, name, id: ids, externalId: externalIds, cursor } = input;
  const given = ids?.length ?? externalIds?.length;
  const paging = { limit: input.limit ?? given ?? PAGE_SIZE_DEFAULT, cursor };
  const filters = ["listPets", status, hasStatus, categoryId, ids, externalIds] as const;
  const read = (below: bigint, count: number) =>
    readPets(ctx.query, { status, hasStatus, categoryId, ids, externalIds, below }, count);
  if (name === undefined) return readPage(ctx, paging, filters, read);
  const words = wordsOf(name);
  const hasWords = nameMatcher(words);
  const search = { owner: keyIdOf(ctx.actor), read, matches: (pet: Pet) => hasWords(pet.name) };
  return readFoundPage(ctx, paging, [...filters, words], (below, count) => scan(search, below, count));
}

/** Adds an animal. @throws ServiceError `conflict` if another animal has the external identifier */
export function createPet(
  { create }: CreateContext,
  { body }: Input<typeof petOperations.createPet>,
): Creation<Pet> {
  const { name, categoryId, status = null, externalId } = body;
  if (externalId === undefined) return create(insertPet, { name, categoryId, status }, body);
  const refuseDuplicate = (query: AwaitedQuery) => refuseTaken(query, externalId);
  return { ...create(insertNumberedPet, { name, categoryId, status, externalId }, body), refuseDuplicate };
}

/** @throws ServiceError `conflict` if another animal has the external identifier; the message names that animal */
async function refuseTaken(query: Query, externalId: string, ownId?: Int64): Promise<void> {
  const [pet] = await query(selectPetByExternalId, [externalId]);
  if (pet !== undefined && pet.id !== ownId)
    throw new ServiceError(
      "conflict",
      `Animal ${pet.id} (${pet.name}) already has the externalId ${JSON.stringify(externalId)}.`,
    );
}

/** Returns the animal with this identifier. @throws ServiceError `not_found` */
export function getPet(ctx: Context, { petId }: Input<typeof petOperations.getPet>): Maybe<Pet> {
  return found(ctx.query(selectPet, [petId]), "animal", petId);
}

/** Changes an animal. @throws ServiceError `not_found`, `pet_has_open_order`, `conflict` */
export async function updatePet(ctx: Context, input: Input<typeof petOperations.updatePet>): Promise<Pet> {
  const { petId, body } = input;
  const pet = await patchWithEvent(ctx, patchPet(petId, body), await getPet(ctx, { petId }));
  if (pet !== undefined) return pet;
  if (body.externalId) await refuseTaken(ctx.query, body.externalId, petId);
  return refuseDuringOrder(ctx, petId);
}

/** Removes an animal without an open order. @throws ServiceError `not_found`, `pet_has_open_order` */
export async function deletePet(
  ctx: Context,
  { petId }: Input<typeof petOperations.deletePet>,
): Promise<undefined> {
  const removed = await changeWithEvent(ctx, removePet, [petId]);
  return removed === undefined ? refuseDuringOrder(ctx, petId) : undefined;
}

/**
 * Throws the reason why an animal could not be changed: it does not exist, or it has an open order.
 *
 * @throws ServiceError `not_found`, `pet_has_open_order`
 */
async function refuseDuringOrder(ctx: Context, petId: Int64): Promise<never> {
  await getPet(ctx, { petId });
  const [orderId] = await ctx.query(selectOpenOrderId, [petId]);
  if (orderId === undefined) throw unexplained("animal", petId);
  throw new ServiceError(
    "pet_has_open_order",
    `Animal ${petId} has an open order: ${orderId}. Complete or cancel it first.`,
  );
}
