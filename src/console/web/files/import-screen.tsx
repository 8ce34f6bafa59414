import { useLayoutEffect, useRef } from "preact/hooks";
import { account } from "../account/session.ts";
import { lazy } from "../components/lazy.tsx";
import { Screen } from "../components/screen.tsx";
import { formatNumber } from "../format.ts";
import { AllAnimalsLink } from "../pets/all-animals-link.tsx";
import { toPetstoreError } from "../request-error.ts";
import { chosen, dropImport, isReading, problem, run, unfinishedImport } from "./import-state.ts";

// Loaded when a file is chosen.
const PrepareImport = lazy(async () => (await import("./prepare-import.tsx")).PrepareImport);
const ImportProgress = lazy(async () => (await import("./import-progress.tsx")).ImportProgress);

let owner: string | undefined;

export function ImportScreen() {
  const file = chosen.value;
  // Before the browser can deliver a chosen file, which `dropImport` would drop.
  useLayoutEffect(() => {
    if (owner !== account.value?.email) dropImport();
    owner = account.value?.email;
    return acceptDrops();
  }, []);
  return (
    <Screen title="Import animals" actions={<AllAnimalsLink />}>
      {file === undefined ? (
        <ChooseFile choose={(picked) => void choose(picked)} />
      ) : run.value === undefined ? (
        <PrepareImport key={file.file} file={file} />
      ) : (
        <ImportProgress file={file} run={run.value} />
      )}
    </Screen>
  );
}

async function choose(file: File | undefined) {
  if (file === undefined || run.value !== undefined) return;
  isReading.value = true;
  try {
    const { chooseFile } = await import("./chosen-file.ts");
    await chooseFile(file);
  } catch (error) {
    problem.value = toPetstoreError(error).message;
  }
  isReading.value = false;
}

/** Accepts dropped files, which would otherwise replace the page. */
function acceptDrops(): () => void {
  const aborter = new AbortController();
  const options = { signal: aborter.signal };
  document.addEventListener("dragover", (event) => event.preventDefault(), options);
  document.addEventListener(
    "drop",
    (event) => {
      event.preventDefault();
      void choose(event.dataTransfer?.files[0]);
    },
    options,
  );
  return () => aborter.abort();
}

function ChooseFile({ choose }: { readonly choose: (file: File | undefined) => void }) {
  const pasted = useRef<HTMLTextAreaElement>(null);
  function usePasted() {
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
              // Cleared, so that the same file can be chosen again after a correction.
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
      The import of {file} stopped at line {formatNumber(Number(lines))} of {formatNumber(Number(of))}. Choose
      the same file to continue: each line is added once.
    </p>
  );
}
