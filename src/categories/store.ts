import type { Int64 } from "exact-json/int64";
import { type ChangeStatement, changing, creating } from "../events/change.ts";
import { appendCategoryEvent } from "../events/store.ts";
import { insertion, insertionWith } from "../storage/insertion.ts";
import { int64Column, members, optional, textColumn, type Whole } from "../storage/row.ts";
import { type Row, type Statement, statement } from "../storage/statement.ts";
import type { Category } from "./contract.ts";

const decodeCategory: (row: Row) => Whole<Category> = members({
  id: int64Column,
  name: textColumn,
  description: optional(textColumn),
});

const categoryInsertion = insertion("category", ["name TEXT", "description TEXT"], decodeCategory);

export const insertCategory = creating(
  "category.created",
  insertionWith(categoryInsertion, appendCategoryEvent),
);

const COLUMNS = categoryInsertion.list;

export const selectCategoryPage: Statement<[below: Int64, limit: number], Category> = statement(
  `SELECT ${COLUMNS} FROM category WHERE id < $1 ORDER BY id DESC LIMIT CAST($2 AS BIGINT)`,
  decodeCategory,
);

export const selectCategory: Statement<[id: Int64], Category> = statement(
  `SELECT ${COLUMNS} FROM category WHERE id = $1`,
  decodeCategory,
);

/** Changes a category's name; NULL keeps it. No row if the category does not exist. */
export const renameCategory: ChangeStatement<[id: Int64, name: string | null], Category> = changing(
  "category.updated",
  statement(
    `UPDATE category SET name = COALESCE($2, name) WHERE id = $1 RETURNING ${COLUMNS}`,
    decodeCategory,
  ),
);

/** Changes a category: a NULL name keeps the name, a NULL description removes it. No row if there is no such category. */
export const describeCategory: ChangeStatement<
  [id: Int64, name: string | null, description: string | null],
  Category
> = changing(
  "category.updated",
  statement(
    `UPDATE category SET name = COALESCE($2, name), description = $3 WHERE id = $1 RETURNING ${COLUMNS}`,
    decodeCategory,
  ),
);

/**
 * Deletes a category that no animal has; yields nothing if one has it. Where transactions run concurrently, an animal
 * committed during this one may still name the deleted category: `category_id` has no foreign key, because an animal may
 * name a category that does not exist.
 */
export const removeCategory: ChangeStatement<[id: Int64], Category> = changing(
  "category.deleted",
  statement(
    `DELETE FROM category WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM pet WHERE category_id = category.id)
      RETURNING ${COLUMNS}`,
    decodeCategory,
  ),
);

export const selectNewestPetId: Statement<[categoryId: Int64], Int64> = statement(
  "SELECT id FROM pet WHERE category_id = $1 ORDER BY id DESC LIMIT 1",
  int64Column("id"),
);
