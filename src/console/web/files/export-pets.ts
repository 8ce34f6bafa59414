import type { Pet } from "../../../pets/contract.ts";
import { everyPage, type Query } from "../request.ts";
import { csvLines, savePets } from "./save-csv.ts";

/** Saves all matching animals as a CSV file, or none. @param onProgress called with the number read so far */
export async function exportPets(
  filter: Query,
  onProgress: (count: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const lines: string[] = [];
  let count = 0;
  for await (const pets of everyPage<Pet>("/pets", filter, signal)) {
    lines.push(csvLines(pets));
    count += pets.length;
    onProgress(count);
  }
  savePets(lines);
}
