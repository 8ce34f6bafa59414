import type { z } from "zod";
import type { petOperations } from "../pets/contract.ts";

/** An animal as `createPet` takes it. */
export type NewPet = z.infer<typeof petOperations.createPet.body.schema>;
