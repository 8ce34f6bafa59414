import { INT64_MAX, type Int64 } from "exact-json/int64";
import { type ChangeStatement, changesOf } from "../events/change.ts";
import type { ResetPart } from "../storage/database.ts";
import { int64Column, members, optional, textColumn, timeColumn, type Whole } from "../storage/row.ts";
import { LAST_CATEGORY } from "../storage/setting.ts";
import { type NewRow, noRows, type Row, type Statement, statement } from "../storage/statement.ts";
import type { Category, CategoryPatch } from "./contract.ts";
import { categoryEvents } from "./events.ts";

const { changing, patching } = changesOf(categoryEvents);

const decodeCategory: (row: Row) => Whole<Category> = members({
  id: int64Column,
  name: textColumn,
  description: optional(textColumn),
  createdAt: timeColumn,
});

const COLUMNS = "id, name, description, created_at";

/** Inserts a category. Returns no row if another category has the same number. */
export const insertCategory: ChangeStatement<NewRow<Category>, Category> = changing(
  "category.created",
  statement(
    `INSERT INTO category (${COLUMNS}) VALUES ($id, $name, $description, $createdAt) ON CONFLICT (id) DO NOTHING RETURNING ${COLUMNS}`,
    decodeCategory,
  ),
);

/** Creates the counter for generated category numbers if it does not exist yet. */
export const startCategoryNumbers: Statement<[]> = {
  sql: `INSERT INTO setting (name, value) VALUES ('${LAST_CATEGORY}', '0') ON CONFLICT (name) DO NOTHING`,
  decode: noRows,
};

/**
 * Advances the counter to the next number that neither a category nor an animal uses, and returns this number. After 1,000 steps of
 * 1, the steps grow, so that a few thousand steps are enough to skip a million used numbers. A concurrent transaction may still add
 * an animal with the number; to prevent that, all transactions that add animals would have to run one after another.
 */
export const nextCategoryNumber: Statement<[], Int64> = statement(
  `UPDATE setting SET value = (
    WITH RECURSIVE range_used (id, step) AS (
      SELECT CAST(setting.value AS BIGINT) + 1, CAST(1 AS BIGINT)
      UNION ALL SELECT range_used.id + 1 + range_used.step / 1000 * range_used.step, range_used.step + 1 FROM range_used
        WHERE EXISTS (SELECT 1 FROM category WHERE category.id = range_used.id)
          OR (SELECT min(category_id) FROM pet WHERE category_id >= range_used.id) = range_used.id
    ) SELECT CAST(max(id) AS TEXT) FROM range_used
  ) WHERE name = '${LAST_CATEGORY}' RETURNING CAST(value AS BIGINT) AS id`,
  int64Column("id"),
);

export const selectFirstCategories: Statement<[limit: number], Category> = statement(
  `SELECT ${COLUMNS} FROM category WHERE id <= ${INT64_MAX} ORDER BY id DESC LIMIT CAST($1 AS BIGINT)`,
  decodeCategory,
);

export const selectCategoryPage: Statement<[below: Int64, limit: number], Category> = statement(
  `SELECT ${COLUMNS} FROM category WHERE id < $1 ORDER BY id DESC LIMIT CAST($2 AS BIGINT)`,
  decodeCategory,
);

export const selectCategory: Statement<[id: Int64], Category> = statement(
  `SELECT ${COLUMNS} FROM category WHERE id = $1`,
  decodeCategory,
);

/** Sets the given members. Returns no row if somebody else has changed the category since it was read. */
export const patchCategory = patching<CategoryPatch, Category>("category.updated", {
  table: "category",
  columns: { name: "TEXT", description: "TEXT" },
  list: COLUMNS,
  decode: decodeCategory,
});

/**
 * Deletes a category. Returns no row if the category contains an animal. A concurrent transaction may still add an animal to the
 * deleted category. This is allowed, because animals may refer to a category that does not exist; therefore `category_id` has no
 * foreign key.
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

export const categoryReset: ResetPart = { restarting: ["category"] };
