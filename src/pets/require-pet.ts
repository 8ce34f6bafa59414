import type { Int64 } from "exact-json/int64";
import { ServiceError } from "../errors.ts";
import { andThen, type Maybe } from "../platform/maybe.ts";
import type { Query } from "../storage/database.ts";
import type { Pet } from "./contract.ts";
import { selectPet } from "./store.ts";

/** @throws ServiceError `not_found` */
export function requirePet(query: Query, petId: Int64): Maybe<Pet> {
  return andThen(query(selectPet, [petId]), ([pet]) => {
    if (pet === undefined) throw new ServiceError("not_found", `There is no animal ${petId}.`);
    return pet;
  });
}
