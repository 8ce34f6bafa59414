import { eventKind } from "../events/kind.ts";
import { pet, petPatch } from "./contract.ts";

const previousPet = petPatch
  .extend({
    status: petPatch.shape.status.meta({ description: "The old availability; null if the animal had none." }),
    externalId: petPatch.shape.externalId.meta({
      description: "Your own number before the change; null if the animal had none.",
    }),
  })
  .meta({
    id: "PreviousPet",
    description: "Old values of the members of an animal that were changed.",
  });

export const petEvents = eventKind({
  id: "PetEvent",
  types: ["pet.created", "pet.updated", "pet.deleted"],
  animal: "id",
  data: pet,
  previous: previousPet,
});
