import { eventKind } from "../events/kind.ts";
import { category, categoryPatch } from "./contract.ts";

const previousCategory = categoryPatch
  .extend({
    description: categoryPatch.shape.description.meta({
      description: "The old description; null if the category had none.",
    }),
  })
  .meta({
    id: "PreviousCategory",
    description: "The members that were changed, with their old values.",
  });

export const categoryEvents = eventKind({
  id: "CategoryEvent",
  types: ["category.created", "category.updated", "category.deleted"],
  data: category,
  previous: previousCategory,
});
