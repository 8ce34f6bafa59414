import { writeCsv } from "../../../pet-files/write-csv.ts";
import type { Pet } from "../../../pets/contract.ts";

/** The columns of `petstore pets export`, in its order. A member that is added to an animal does not compile until it is here. */
const COLUMNS: Readonly<Record<keyof Pet, true>> = { id: true, name: true, categoryId: true, status: true };
const NAMES = Object.keys(COLUMNS) as readonly (keyof Pet)[];

/** Animals as `petstore pets export --format csv` writes them, without the first line. */
export function csvLines(pets: readonly Pet[]): string {
  return pets.map((pet) => writeCsv(NAMES.map((name) => String(pet[name] ?? "")))).join("");
}

/** Has the browser save animals as a CSV file: `lines` as `csvLines` wrote them. */
export function savePets(lines: readonly string[]): void {
  saveCsv(`animals-${new Date().toLocaleDateString("sv")}.csv`, [writeCsv(NAMES), ...lines]);
}

export function saveCsv(name: string, parts: readonly string[]): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([...parts], { type: "text/csv" }));
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
