import { useRef } from "preact/hooks";
import { isReading, problem, unfinishedImport } from "./import-state.ts";

interface ChooseFileProps {
  readonly choose: (file: File | undefined) => void;
}

export function ChooseFile({ choose }: ChooseFileProps) {
  const pasted = useRef<HTMLTextAreaElement>(null);
  function usePasted(): void {
    const text = pasted.current?.value ?? "";
    choose(new File([text], "pasted lines"));
  }
  return (
    <div class="stack">
      <UnfinishedImport />
      {problem.value && (
        <p class="alert" role="alert">
          {problem.value}
        </p>
      )}
      {isReading.value && <p class="loading">Reading the file…</p>}
      <section class="card">
        <div class="field">
          <label for="import-file">File</label>
          <input
            id="import-file"
            type="file"
            accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson,text/csv"
            aria-describedby="import-file-hint"
            onChange={({ currentTarget }) => {
              choose(currentTarget.files?.[0]);
              // The same file, corrected, can be chosen again.
              currentTarget.value = "";
            }}
          />
          <p class="hint" id="import-file-hint">
            CSV of any spreadsheet, or JSON, with a name and a category for each animal. You can also drop the
            file anywhere on this page.
          </p>
        </div>
        <div class="field">
          <label for="import-text">
            Lines <span class="optional">(instead of a file)</span>
          </label>
          <textarea id="import-text" ref={pasted} rows={4} placeholder="Fluffy,Cats,available" />
        </div>
        <div class="actions">
          <button type="button" class="secondary" onClick={usePasted}>
            Use these lines
          </button>
        </div>
      </section>
    </div>
  );
}

function UnfinishedImport() {
  const last = unfinishedImport();
  if (last === undefined) return null;
  const { file, lines, of } = last;
  return (
    <p class="alert notice" role="status" dir="auto">
      The import of {file} stopped at line {Number(lines).toLocaleString()} of {Number(of).toLocaleString()}.
      Choose the same file to continue: each line is added once.
    </p>
  );
}
