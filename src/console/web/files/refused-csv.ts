import type { RefusedLine } from "../../../pet-files/import-pets.ts";
import { readRecords } from "../../../pet-files/parse-pets.ts";
import { writeCsv } from "../../../pet-files/write-csv.ts";
import type { ChosenFile } from "./import-state.ts";
import { chunksOf } from "./read-pets.ts";
import { saveCsv } from "./write-csv.ts";

/** Saves the refused lines with their reasons. Those of a CSV file keep its columns: corrected, they can be imported. */
export async function saveRefused(
  { file, dialect, layout }: ChosenFile,
  refused: readonly RefusedLine[],
): Promise<void> {
  const reasons = new Map(refused.map(({ line, reason }) => [line, reason]));
  const head = layout === undefined ? [] : layout.isHead ? layout.first : layout.targets;
  const lines = [writeCsv([...head, "line", "reason"])];
  if (layout === undefined)
    for (const [line, reason] of reasons) lines.push(writeCsv([String(line), reason]));
  else
    for await (const { line, cells } of readRecords(chunksOf(file), dialect)) {
      const reason = reasons.get(line);
      const padded = head.map((_, index) => cells[index] ?? "");
      if (reason !== undefined) lines.push(writeCsv([...padded, String(line), reason]));
    }
  saveCsv(`${file.name.replace(/\.[^.]*$/, "")}-refused.csv`, lines);
}
