import type { RefusedLine } from "../../../pet-files/import-pets.ts";
import { ListTable } from "../components/list-table.tsx";
import type { ChosenFile } from "./import-state.ts";
import { saveRefused } from "./refused-csv.ts";

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
        {refused.length.toLocaleString()} {refused.length === 1 ? "line is" : "lines are"} refused
      </h2>
      <ListTable
        label="Refused lines"
        rows={rows}
        columns={{
          Line: ({ line, lastLine }) => (line === lastLine ? line : `${line} to ${lastLine}`),
          Reason: ({ reason }) => <span dir="auto">{reason}</span>,
        }}
      />
      {more > 0 && <p>And {more.toLocaleString()} more: the file has all of them.</p>}
      <div class="actions">
        <button type="button" class="secondary" onClick={() => void saveRefused(file, refused)}>
          Download the refused lines
        </button>
      </div>
    </section>
  );
}
