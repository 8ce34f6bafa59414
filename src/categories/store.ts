import type { Int64 } from "../../client/src/int64.ts";
import { insertion, type Row, type Statement, statement } from "../storage/database.ts";
import { int64Column, optional, textColumn, type Whole } from "../storage/row.ts";
import type { Category } from "./contract.ts";

function decodeCategory(row: Row): Whole<Category> {
  return {
    id: int64Column(row, "id"),
    name: textColumn(row, "name"),
    description: optional(row, "description", textColumn),
  };
}

export const insertCategory = insertion("category", ["name TEXT", "description TEXT"], decodeCategory);

const COLUMNS = insertCategory.list;

export const selectCategoryPage: Statement<[below: Int64, limit: number], Category> = statement(
  `SELECT ${COLUMNS} FROM category WHERE id < $1 ORDER BY id DESC LIMIT $2`,
  decodeCategory,
);
