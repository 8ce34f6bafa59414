import { z } from "zod";
import { type DocumentedOperations, sharing } from "../contract/operation.ts";
import { int64Parameter, pagingParameters } from "../contract/parameter.ts";
import { int64Schema, textSchema, timeSchema } from "../contract/schema.ts";
import { DESCRIPTION_LENGTH_MAX, NAME_LENGTH_MAX } from "../contract/text-length.ts";

const storedName = { description: "The category's name.", example: "Cats" };
const name = textSchema({ ...storedName, maxLength: NAME_LENGTH_MAX });
const storedDescription = {
  description: "Description of the animals in the category.",
  example: "Purring animals",
};
const description = textSchema({ ...storedDescription, maxLength: DESCRIPTION_LENGTH_MAX });

const id = int64Schema({
  description:
    "Identifier of the category: any 64-bit integer. Animals in the category have this value as their `categoryId`.",
  example: 1,
});

const newCategory = z
  .object({
    id: id.optional().meta({
      description:
        "Identifier for the new category. Animals may already have this value as their `categoryId`. If you leave it out, the service generates an unused identifier.",
    }),
    name,
    description: description.optional(),
  })
  .meta({ id: "NewCategory", description: "A category to add." });
export type NewCategory = z.infer<typeof newCategory>;

export const category = z
  .object({
    ...newCategory.shape,
    id,
    // This schema sets no maximum length, because a store from an earlier version may contain longer names.
    name: textSchema(storedName),
    description: textSchema(storedDescription).optional(),
    createdAt: timeSchema("Time at which the category was added, in UTC."),
  })
  .meta({
    id: "Category",
    description: "A category. `description` is absent if the category has no description.",
  });
export type Category = z.infer<typeof category>;

export const categoryPatch = z
  .object({
    name: name.optional(),
    description: description
      .nullable()
      .optional()
      .meta({ description: "The new description; `null` removes the description." }),
  })
  .meta({ id: "CategoryPatch", description: "Changes to a category, as a JSON Merge Patch (RFC 7396)." });
export type CategoryPatch = z.infer<typeof categoryPatch>;

const categories = z
  .array(category)
  .meta({ id: "Categories", description: "Categories, highest identifier first." });

const cats = {
  id: 1,
  name: "Cats",
  description: "Purring animals",
  createdAt: "2026-01-01T12:00:00.000Z",
};
const pathParameters = {
  categoryId: int64Parameter({ description: "Identifier of the category.", example: 1 }),
};

export const categoryOperations = sharing({ tag: "Categories", stability: "beta" }, {
  listCategories: {
    method: "GET",
    path: "/categories",
    summary: "List categories",
    description: "Lists categories, highest identifier first, one page at a time.",
    query: pagingParameters,
    success: {
      status: 200,
      description: "A page of categories.",
      schema: categories,
      example: [cats],
      paged: true,
    },
    errors: ["invalid_cursor"],
  },
  createCategory: {
    method: "POST",
    path: "/categories",
    summary: "Add a category",
    description:
      "Adds a category. An animal can refer to a category (`categoryId`) that does not exist yet. To add that category, send the same " +
      "identifier as `id`. Generated identifiers start at 1, increase, stay below 2^53 and are never reused.",
    body: {
      schema: newCategory,
      examples: {
        cats: { name: "Cats", description: "Purring animals" },
        numbered: { id: 2, name: "Fish" },
      },
    },
    success: {
      status: 201,
      description: "The category was added.",
      schema: category,
      example: cats,
      location: "/categories/{id}",
    },
    errors: ["conflict"],
  },
  getCategory: {
    method: "GET",
    path: "/categories/{categoryId}",
    summary: "Get a category",
    description: "Returns one category.",
    pathParameters,
    success: { status: 200, description: "The category.", schema: category, example: cats },
    errors: ["not_found"],
  },
  updateCategory: {
    method: "PATCH",
    path: "/categories/{categoryId}",
    summary: "Change a category",
    description: "Changes only the given members; `description: null` removes the description (RFC 7396).",
    pathParameters,
    body: {
      schema: categoryPatch,
      mediaTypes: ["application/merge-patch+json", "application/json"],
      examples: { renamed: { name: "Felines" }, withoutDescription: { description: null } },
    },
    success: {
      status: 200,
      description: "The changed category.",
      schema: category,
      example: { ...cats, name: "Felines" },
    },
    errors: ["not_found"],
  },
  deleteCategory: {
    method: "DELETE",
    path: "/categories/{categoryId}",
    summary: "Remove a category",
    description:
      "Removes a category that contains no animals. The service never generates this identifier again, but you can add another category with it.",
    pathParameters,
    success: { status: 204, description: "The category was removed." },
    errors: ["not_found", "category_in_use"],
  },
} as const satisfies DocumentedOperations);
