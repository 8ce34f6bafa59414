import { z } from "zod";
import type { Operation } from "../contract/operation.ts";
import { pagingParameters } from "../contract/paging-parameters.ts";
import { int64Schema, textSchema } from "../contract/schema.ts";

const newCategory = z
  .object({
    name: textSchema({ description: "The category's name.", example: "Cats" }),
    description: textSchema({ description: "What belongs in it.", example: "Purring animals" }).optional(),
  })
  .meta({ id: "NewCategory", description: "A category to add." });
export type NewCategory = z.infer<typeof newCategory>;

const category = z
  .object({
    id: int64Schema({ minimum: 1, description: "Unique identifier, assigned by the service.", example: 1 }),
    ...newCategory.shape,
  })
  .meta({ id: "Category", description: "A category. `description` is absent when it has none." });
export type Category = z.infer<typeof category>;

const categories = z.array(category).meta({ id: "Categories", description: "Categories, newest first." });

const cats = { id: 1, name: "Cats", description: "Purring animals" };

export const categoryOperations = {
  listCategories: {
    id: "listCategories",
    method: "GET",
    path: "/categories",
    tag: "Categories",
    summary: "List categories",
    description: "Lists categories, newest first, one page at a time.",
    access: "read",
    stability: "beta",
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
    id: "createCategory",
    method: "POST",
    path: "/categories",
    tag: "Categories",
    summary: "Add a category",
    description:
      "Adds a category. Animals refer to it by `categoryId`, which need not name an existing category.",
    access: "read-write",
    stability: "beta",
    body: {
      schema: newCategory,
      mediaTypes: ["application/json"],
      examples: { cats: { name: "Cats", description: "Purring animals" } },
    },
    success: { status: 201, description: "The category was added.", schema: category, example: cats },
  },
} as const satisfies Record<string, Operation>;
