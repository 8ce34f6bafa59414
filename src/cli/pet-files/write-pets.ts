import { writeJson } from "../../contract/json/json.ts";
import type { FileFormat } from "../../pet-files/file-format.ts";
import { writeCsv } from "../../pet-files/write-csv.ts";
import type { Pet } from "../../pets/contract.ts";
import { cellsOf, EXPORTED_COLUMNS } from "./csv-columns.ts";

/** The first line of an exported file; JSON Lines has none. */
export function fileHead(format: FileFormat): string {
  return format === "csv" ? writeCsv(EXPORTED_COLUMNS) : "";
}

/** An animal as a line of a file. An import reads the same animal from it, under a new identifier. */
export function fileLine(format: FileFormat, pet: Pet): string {
  return format === "csv" ? writeCsv(cellsOf(pet)) : `${writeJson(pet)}\n`;
}
