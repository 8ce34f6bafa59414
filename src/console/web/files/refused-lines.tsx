import { readRecords } from "../../../pet-files/parse-pets.ts";
import { writeCsv } from "../../../pet-files/write-csv.ts";
import { formatNumber } from "../format.ts";
import { choose, SHOWN_MAX } from "./chosen-file.ts";
import { type ChosenFile, dropImport, type RefusedPet } from "./import-state.ts";
import type { Layout } from "./layout.ts";
import { LineTable } from "./preview.tsx";
import { chunksOf } from "./read-pets.ts";
import { saveCsv } from "./save-csv.ts";

interface RefusedLinesProps {
  readonly file: ChosenFile;
  readonly refused: readonly RefusedPet[];
}

export function RefusedLines({ file, refused }: RefusedLinesProps) {
  if (refused.length === 0) return null;
  const more = refused.length - SHOWN_MAX;
  return (
    <section class="card">
      <h2>
        {formatNumber(refused.length)} {refused.length === 1 ? "line is" : "lines are"} refused
      </h2>
      <LineTable label="Refused lines" lines={refused.slice(0, SHOWN_MAX)} />
      {more > 0 && <p>And {formatNumber(more)} more: the file has all of them.</p>}
      <div class="actions">
        {file.layout && (
          <button type="button" onClick={() => void correctRefused(file, refused)}>
            Correct them here
          </button>
        )}
        <button type="button" class="secondary" onClick={() => void saveRefused(file, refused)}>
          Download the refused lines
        </button>
      </div>
    </section>
  );
}

async function saveRefused(file: ChosenFile, refused: readonly RefusedPet[]) {
  saveCsv(`${file.file.name.replace(/\.[^.]*$/, "")}-refused.csv`, await csvOf(file, refused));
}

/** Opens the refused lines as pasted ones, with the file's columns. */
async function correctRefused(file: ChosenFile, refused: readonly RefusedPet[]) {
  const { layout, usual } = file;
  const lines = (await csvOf(file, refused)).join("");
  dropImport(lines);
  const first = headOf(layout);
  const targets = first.map((_, index) => layout?.targets[index] ?? "");
  await choose(lines, { usual, layout: layout && { ...layout, first, isHead: true, targets } });
}

function headOf(layout: Layout | undefined): readonly string[] {
  const columns = layout?.isHead ? layout.first : layout?.targets;
  return [...(columns ?? []), "line", "reason"];
}

/** The refused lines with their reasons as CSV, in the file's columns. */
async function csvOf({ file, dialect, layout }: ChosenFile, refused: readonly RefusedPet[]) {
  const reasons = new Map(refused.map(({ line, refusal }) => [line, refusal]));
  const lines = [writeCsv(headOf(layout))];
  if (layout === undefined)
    for (const [line, reason] of reasons) lines.push(writeCsv([String(line), reason]));
  else
    for await (const { line, cells } of readRecords(chunksOf(file), dialect)) {
      const reason = reasons.get(line);
      const padded = layout.first.map((_, index) => cells[index] ?? "");
      if (reason !== undefined) lines.push(writeCsv([...padded, String(line), reason]));
    }
  return lines;
}
