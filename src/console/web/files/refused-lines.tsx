import type { RefusedLine } from "../../../pet-files/import-pets.ts";
import { readRecords } from "../../../pet-files/parse-pets.ts";
import { writeCsv } from "../../../pet-files/write-csv.ts";
import { ListTable } from "../components/list-table.tsx";
import { formatNumber } from "../format.ts";
import type { ChosenFile } from "./import-state.ts";
import { chunksOf } from "./read-pets.ts";
import { saveCsv } from "./save-csv.ts";

const SHOWN = 20;

interface RefusedLinesProps {
  readonly file: ChosenFile;
  readonly refused: readonly RefusedLine[];
}

export function RefusedLines({ file, refused }: RefusedLinesProps) {
  if (refused.length === 0) return null;
  const rows = refused.slice(0, SHOWN).map((line) => ({ id: line.line, ...line }));
  const more = refused.length - rows.length;
  return (
    <section class="card">
      <h2>
        {formatNumber(refused.length)} {refused.length === 1 ? "line is" : "lines are"} refused
      </h2>
      <ListTable
        label="Refused lines"
        rows={rows}
        columns={{
          Line: ({ line, lastLine }) => (line === lastLine ? line : `${line} to ${lastLine}`),
          Reason: ({ reason }) => <span dir="auto">{reason}</span>,
        }}
      />
      {more > 0 && <p>And {formatNumber(more)} more: the file has all of them.</p>}
      <div class="actions">
        <button type="button" class="secondary" onClick={() => void saveRefused(file, refused)}>
          Download the refused lines
        </button>
      </div>
    </section>
  );
}

/** Saves the refused lines with their reasons as CSV in the file's columns, so that they can be corrected and imported. */
async function saveRefused({ file, dialect, layout }: ChosenFile, refused: readonly RefusedLine[]) {
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
