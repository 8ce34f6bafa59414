import { useEffect } from "preact/hooks";
import { randomName } from "../../../../client/src/random.ts";
import { announcePolite } from "../components/announce.tsx";
import { askBeforeLeaving } from "../components/ask-before-leaving.ts";
import { formatNumber } from "../format.ts";
import { startImport } from "./import-run.ts";
import { type ChosenFile, dropImport, type ImportRun, stopping } from "./import-state.ts";
import { RefusedLines } from "./refused-lines.tsx";
import { UndoImport } from "./undo-import.tsx";

export function ImportProgress({ file, run }: { readonly file: ChosenFile; readonly run: ImportRun }) {
  const { batch, identity, status, refused, failure } = run;
  const { added, alreadyThere, changed } = run.counts;
  const isRunning = status === "running";
  const summary = summaryOf(run, file.comparison?.counts.unchanged ?? 0);
  useEffect(() => {
    if (!isRunning) announcePolite(summary);
  }, [isRunning]);
  useEffect(() => (isRunning ? askBeforeLeaving() : undefined), [isRunning]);
  const lines = added + alreadyThere + changed + refused.length;
  const total = file.comparison?.lines.length ?? file.lines;
  const text = `${formatNumber(lines)} of ${formatNumber(total)} lines`;
  return (
    <div class="stack">
      <section class="card">
        <h2 dir="auto">{file.file.name}</h2>
        <progress max={total} value={lines} aria-label="Lines that are finished" />
        <p>{isRunning ? text : summary}</p>
        {failure && (
          <p class="alert" role="alert">
            {failure}
          </p>
        )}
        {status === "stopped" && (
          <p>Stopped after {text}. Choose Continue to add the rest. No line is added twice.</p>
        )}
        {status === "unreadable" && (
          <p>Stopped after {text}. Import the file again to add the rest. No line is added twice.</p>
        )}
        <div class="actions">
          {isRunning && (
            <button type="button" class="secondary" onClick={() => stopping.value.abort()}>
              Cancel
            </button>
          )}
          {status === "stopped" && (
            <button type="button" onClick={() => void startImport(file, batch, identity)}>
              Continue
            </button>
          )}
          {status === "complete" && added === 0 && alreadyThere > 0 && (
            <button type="button" class="secondary" onClick={() => void startImport(file, randomName())}>
              Add them again
            </button>
          )}
          {!isRunning && (
            <button type="button" class="secondary" onClick={() => dropImport()}>
              Import another file
            </button>
          )}
          {!isRunning && added + changed > 0 && <UndoImport identity={identity} file={file.file.name} />}
          {status === "complete" && <a href="/animals">Show the animals</a>}
        </div>
      </section>
      {!isRunning && <RefusedLines file={file} refused={refused} />}
    </div>
  );
}

function summaryOf({ counts }: ImportRun, unchanged: number): string {
  const { added, alreadyThere, changed, refused } = counts;
  const isUpdate = changed + unchanged > 0;
  return [
    (added > 0 || !isUpdate) && `${formatNumber(added)} added`,
    changed > 0 && `${formatNumber(changed)} changed`,
    unchanged > 0 && `${formatNumber(unchanged)} unchanged`,
    alreadyThere > 0 && `${formatNumber(alreadyThere)} already added earlier`,
    refused > 0 && `${formatNumber(refused)} ${refused === 1 ? "line" : "lines"} refused`,
  ]
    .filter(Boolean)
    .join(", ");
}
