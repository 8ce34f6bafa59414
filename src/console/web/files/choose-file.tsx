import { useEffect, useRef } from "preact/hooks";
import { toRequestError } from "../request-error.ts";
import { problem, unfinishedImport } from "./import-state.ts";

export function ChooseFile() {
  const pasted = useRef<HTMLTextAreaElement>(null);
  useEffect(acceptDrops, []);
  function usePasted(): void {
    const text = pasted.current?.value ?? "";
    void choose(new File([text], "pasted lines"));
  }
  return (
    <div class="stack">
      <UnfinishedImport />
      {problem.value && (
        <p class="alert" role="alert">
          {problem.value}
        </p>
      )}
      <section class="card">
        <div class="field">
          <label for="import-file">File</label>
          <input
            id="import-file"
            type="file"
            accept=".csv,.jsonl,.ndjson,text/csv"
            aria-describedby="import-file-hint"
            onChange={({ currentTarget: { files } }) => chooseFirst(files)}
          />
          <p class="hint" id="import-file-hint">
            CSV or JSON Lines, with a name and a category on each line. You can also drop the file anywhere on
            this page.
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

async function choose(file: File): Promise<void> {
  try {
    const { chooseFile } = await import("./chosen-file.ts");
    await chooseFile(file);
  } catch (error) {
    problem.value = toRequestError(error).message;
  }
}

function chooseFirst(files: FileList | null | undefined): void {
  const [file] = files ?? [];
  if (file !== undefined) void choose(file);
}

/** A file that misses the form would replace the page. */
function acceptDrops(): () => void {
  const aborter = new AbortController();
  const options = { signal: aborter.signal };
  document.addEventListener("dragover", (event) => event.preventDefault(), options);
  document.addEventListener(
    "drop",
    (event) => {
      event.preventDefault();
      chooseFirst(event.dataTransfer?.files);
    },
    options,
  );
  return () => aborter.abort();
}
