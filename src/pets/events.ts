import { eventKind } from "../events/kind.ts";
import { pet, petPatch } from "./contract.ts";

const previousPet = petPatch
  .extend({
    status: petPatch.shape.status.meta({ description: "The old status; null if the animal had no status." }),
    externalId: petPatch.shape.externalId.meta({
      description: "The old `externalId`; null if the animal had none.",
    }),
  })
  .meta({
    id: "PreviousPet",
    description: "The members that were changed, with their old values.",
  });

export const petEvents = eventKind({
  id: "PetEvent",
  types: ["pet.created", "pet.updated", "pet.deleted"],
  animal: "id",
  data: pet,
  previous: previousPet,
});
