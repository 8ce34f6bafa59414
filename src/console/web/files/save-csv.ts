import { SAFE_CSV } from "../../../pet-files/write-csv.ts";
import type { Pet } from "../../../pets/contract.ts";

let saved: string | undefined;

/** Downloads animals as a CSV file, as `petstore pets export --safe` writes it. */
export function savePets(pets: readonly Pet[]): void {
  const link = document.createElement("a");
  // Frees the previous file, which the browser has read by now.
  if (saved !== undefined) URL.revokeObjectURL(saved);
  saved = URL.createObjectURL(new Blob([SAFE_CSV.head, ...pets.map(SAFE_CSV.line)], { type: "text/csv" }));
  link.href = saved;
  link.download = `animals-${new Date().toLocaleDateString("sv")}.csv`;
  link.click();
}
