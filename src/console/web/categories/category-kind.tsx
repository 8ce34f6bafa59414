import type { Category } from "../../../categories/contract.ts";
import { callVersioned } from "../request.ts";
import type { ResourceKind } from "../use-version.ts";
import type { CategoryField } from "./category-form.tsx";

const path = ({ id }: Category) => `/categories/${id}`;

export const CATEGORY_KIND: ResourceKind<Category> = {
  noun: "category",
  topics: ["category"],
  path,
  read: (category) => callVersioned<Category>(path(category)),
  describe({ name, description }): Readonly<Record<CategoryField, readonly [string, string]>> {
    return { name: ["Name", name], description: ["Description", description ?? "None"] };
  },
  events: () => ({ type: "category.updated,category.deleted", limit: "100" }),
  obstacle: {
    code: "category_in_use",
    link: ({ id }) => <a href={`/animals?category=${id}`}>Show the animals in this category</a>,
  },
};
