import { readRecords } from "../../../pet-files/parse-pets.ts";
import { writeCsv } from "../../../pet-files/write-csv.ts";
import { formatNumber } from "../format.ts";
import { choose, SHOWN_MAX, sentenceFor } from "./chosen-file.ts";
import { type ChosenFile, dropImport, problem, type RefusedPet } from "./import-state.ts";
import type { Layout } from "./layout.ts";
import { LineTable } from "./preview.tsx";
import { chunksOf } from "./read-pets.ts";

interface RefusedLinesProps {
  readonly file: ChosenFile;
  readonly refused: readonly RefusedPet[];
}

export function RefusedLines({ file, refused }: RefusedLinesProps) {
  if (refused.length === 0) return null;
  const more = refused.length - SHOWN_MAX;
  const { layout } = file;
  return (
    <section class="card">
      <h2>
        {formatNumber(refused.length)} {refused.length === 1 ? "line is" : "lines are"} refused
      </h2>
      <LineTable label="Refused lines" lines={refused.slice(0, SHOWN_MAX)} />
      {more > 0 && <p>And {formatNumber(more)} more.</p>}
      {layout && (
        <button type="button" onClick={() => void correctRefused(file, layout, refused)}>
          Correct them here
        </button>
      )}
    </section>
  );
}

/** Opens the refused lines for correction, as if the person had pasted them. They keep the columns of the file. */
async function correctRefused(file: ChosenFile, layout: Layout, refused: readonly RefusedPet[]) {
  const { isHead, targets, first } = layout;
  const head = [...(isHead ? first : targets), "line", "reason"];
  const reasons = new Map(refused.map(({ line, refusal }) => [line, refusal]));
  const lines = [writeCsv(head)];
  try {
    for await (const { line, cells } of readRecords(chunksOf(file.file), file.dialect)) {
      const reason = reasons.get(line);
      const padded = first.map((_, index) => cells[index] ?? "");
      if (reason !== undefined) lines.push(writeCsv([...padded, String(line), reason]));
    }
  } catch (error) {
    dropImport();
    problem.value = sentenceFor(error);
    return;
  }
  const text = lines.join("");
  dropImport(text);
  const known = head.map((_, index) => targets[index] ?? "");
  await choose(text, { ...file, layout: { ...layout, first: head, isHead: true, targets: known } });
}
