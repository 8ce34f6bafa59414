import { CSV_HEAD, csvLine } from "../../../pet-files/export-pets.ts";
import type { Pet } from "../../../pets/contract.ts";

/** Animals as `petstore pets export --format csv` writes them, without the first line. */
export function csvLines(pets: readonly Pet[]): string {
  return pets.map(csvLine).join("");
}

/** Has the browser save animals as a CSV file: `lines` as `csvLines` wrote them. */
export function savePets(lines: readonly string[]): void {
  saveCsv(`animals-${new Date().toLocaleDateString("sv")}.csv`, [CSV_HEAD, ...lines]);
}

let saved: string | undefined;

export function saveCsv(name: string, parts: readonly string[]): void {
  const link = document.createElement("a");
  // Of the last file, which the browser has read by now.
  if (saved !== undefined) URL.revokeObjectURL(saved);
  saved = URL.createObjectURL(new Blob([...parts], { type: "text/csv" }));
  link.href = saved;
  link.download = name;
  link.click();
}
