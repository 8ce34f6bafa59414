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
    description: "The animal's changed members, with their old values.",
  });

export const petEvents = eventKind({
  id: "PetEvent",
  types: ["pet.created", "pet.updated", "pet.deleted"],
  animal: "id",
  data: pet,
  previous: previousPet,
});
