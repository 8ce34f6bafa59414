import { SAFE_CSV } from "../../../pet-files/write-csv.ts";
import type { Pet } from "../../../pets/contract.ts";

/** Downloads animals as a CSV file, as `petstore pets export --safe` writes it. */
export function savePets(pets: readonly Pet[]): void {
  saveCsv(`animals-${new Date().toLocaleDateString("sv")}.csv`, [SAFE_CSV.head, ...pets.map(SAFE_CSV.line)]);
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
