import { writeJson } from "../../contract/json/json.ts";
import type { FileFormat } from "../../pet-files/file-format.ts";
import { CSV_HEAD, csvLine } from "../../pet-files/write-csv.ts";
import type { Pet } from "../../pets/contract.ts";

/** Header of an exported file; JSON Lines has none. */
export function fileHead(format: FileFormat): string {
  return format === "csv" ? CSV_HEAD : "";
}

export function fileLine(format: FileFormat, pet: Pet): string {
  return format === "csv" ? csvLine(pet) : `${writeJson(pet)}\n`;
}
