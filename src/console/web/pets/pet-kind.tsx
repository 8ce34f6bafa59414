import type { NewPet, Pet } from "../../../pets/contract.ts";
import { categoryName } from "../categories/category-names.ts";
import { callPage, type Versioned } from "../request.ts";
import type { ResourceKind } from "../use-version.ts";
import { statusWord } from "./pet-status.tsx";

/**
 * The path, the labels and the read function for animals. Animals are read with `GET /pets?id=`, because `GET /pets/{petId}` will
 * be removed in 2030.
 */
export const PET_KIND: ResourceKind<Pet> = {
  noun: "animal",
  topics: ["pet"],
  path: ({ id }) => `/pets/${id}`,
  read: async ({ id }) => (await callPage<Versioned<Pet>>("/pets", { query: { id: String(id) } })).items[0],
  describe({
    name,
    categoryId,
    status,
    externalId,
  }): Readonly<Record<keyof NewPet, readonly [string, string]>> {
    return {
      name: ["Name", name],
      categoryId: ["Category", categoryName(String(categoryId), String(categoryId))],
      status: ["Status", statusWord(status)],
      externalId: ["Own number", externalId ?? "None"],
    };
  },
  events: ({ id }) => ({ petId: String(id), type: "pet.updated,pet.deleted", limit: "20" }),
  afterRemoval: "You can add the animal again, with a new number, from its page.",
  obstacle: {
    code: "pet_has_open_order",
    link: ({ id }) => <a href={`/orders?for=${id}`}>Show this animal's orders</a>,
  },
};
