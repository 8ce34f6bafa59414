import { insertion, type Row, type Statement } from "../storage/database.ts";
import { int64Column, optional, textColumn } from "../storage/row.ts";
import type { Category } from "./contract.ts";

const COLUMNS = "id, name, description";

function decodeCategory(row: Row): Category {
  const description = optional(row, "description", textColumn);
  const category = { id: int64Column(row, "id"), name: textColumn(row, "name") };
  return description === undefined ? category : { ...category, description };
}

export const insertCategory = insertion("category", { name: "TEXT", description: "TEXT" }, decodeCategory);

export const selectCategoryPage: Statement<Category> = {
  sql: `SELECT ${COLUMNS} FROM category WHERE id < $1 ORDER BY id DESC LIMIT $2`,
  decode: decodeCategory,
};
