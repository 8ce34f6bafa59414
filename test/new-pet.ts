import type { Int64 } from "exact-json/int64";
import type { Pet, PetStatus } from "../src/pets/contract.ts";
import { insertPet } from "../src/pets/store.ts";
import type { Creation } from "../src/storage/database.ts";

/** The members of an event, except the animal. The event was caused by the operator. */
export const EVENT = {
  resourceId: null,
  type: "pet.created",
  createdAt: 0,
  actorKind: "operator",
  actorId: "",
  actorName: "operator",
  requestId: "",
  data: "{}",
  previous: null,
  traceparent: null,
} as const;

/** Returns an animal and its event, to be stored by `Database.create`. */
export function newPet(name: string, categoryId: Int64 = 1, status: PetStatus | null = null): Creation<Pet> {
  return { insertion: insertPet.creating, values: { name, categoryId, status }, entry: EVENT };
}
