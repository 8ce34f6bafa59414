import { SAFE_CSV } from "../../../pet-files/write-csv.ts";
import type { Pet } from "../../../pets/contract.ts";

/** CSV lines of animals as in `petstore pets export --safe`, without the header. */
export function csvLines(pets: readonly Pet[]): string {
  return pets.map(SAFE_CSV.line).join("");
}

/** Downloads animals as a CSV file, from the lines of `csvLines`. */
export function savePets(lines: readonly string[]): void {
  saveCsv(`animals-${new Date().toLocaleDateString("sv")}.csv`, [SAFE_CSV.head, ...lines]);
}

let saved: string | undefined;

export function saveCsv(name: string, parts: readonly string[]): void {
  const link = document.createElement("a");
  // Frees the previous file, which the browser has read by now.
  if (saved !== undefined) URL.revokeObjectURL(saved);
  saved = URL.createObjectURL(new Blob([...parts], { type: "text/csv" }));
  link.href = saved;
  link.download = name;
  link.click();
}
