import type { FileWriter } from "../../../pet-files/write-csv.ts";

let saved: string | undefined;

/** Downloads items as a CSV file for a spreadsheet program. @param name the beginning of the file's name, such as `animals` */
export function saveItems<Item>(
  name: string,
  { head, line }: FileWriter<Item>,
  items: readonly Item[],
): void {
  save(`${name}-${new Date().toLocaleDateString("sv")}.csv`, [head, ...items.map(line)]);
}

export function save(file: string, parts: readonly string[]): void {
  const link = document.createElement("a");
  // Frees the memory of the file that was saved before, which the browser has finished reading by now.
  if (saved !== undefined) URL.revokeObjectURL(saved);
  saved = URL.createObjectURL(new Blob([...parts], { type: "text/csv" }));
  link.href = saved;
  link.download = file;
  link.click();
}
