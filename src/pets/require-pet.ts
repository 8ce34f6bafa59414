import type { Int64 } from "../../client/src/int64.ts";
import { ServiceError } from "../errors.ts";
import type { Query } from "../storage/database.ts";
import type { Pet } from "./contract.ts";
import { selectPet } from "./store.ts";

/** @throws ServiceError `not_found` */
export async function requirePet(query: Query, petId: Int64): Promise<Pet> {
  const [pet] = await query(selectPet, [petId]);
  if (pet === undefined) throw new ServiceError("not_found", `There is no animal ${petId}.`);
  return pet;
}
