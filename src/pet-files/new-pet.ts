import type { z } from "zod";
import type { petOperations } from "../pets/contract.ts";

export type NewPet = z.infer<typeof petOperations.createPet.body.schema>;
