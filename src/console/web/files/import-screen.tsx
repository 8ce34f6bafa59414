import { signal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { LongTextField } from "../components/field.tsx";
import { useKeepFocus } from "../components/keep-focus.ts";
import { Labelled } from "../components/labelled.tsx";
import { lazy } from "../components/lazy.tsx";
import { Screen } from "../components/screen.tsx";
import { AllAnimalsLink } from "../pets/all-animals-link.tsx";
import { toPetstoreError } from "../request-error.ts";
import { chosen, claimImport, dropImport, pasted, problem, run } from "./import-state.ts";

// The code that reads and imports a file is loaded only when a file is chosen.
const PrepareImport = lazy(async () => (await import("./prepare-import.tsx")).PrepareImport);
const ImportProgress = lazy(async () => (await import("./import-progress.tsx")).ImportProgress);

const RecentImports = lazy(async () => (await import("./recent-imports.tsx")).RecentImports);

const isReading = signal(false);

export function ImportScreen() {
  const file = chosen.value;
  const place = useKeepFocus<HTMLDivElement>("h1");
  // This is a layout effect, so that it runs before the browser delivers a chosen file. Otherwise `claimImport` would drop this
  // file.
  useLayoutEffect(() => {
    claimImport();
    if (pasted.peek() !== "" && chosen.peek() === undefined) void read(pasted.peek());
  }, []);
  return (
    <Screen title="Import animals" actions={<AllAnimalsLink />}>
      <div {...place}>
        {file && run.value ? (
          <ImportProgress file={file} run={run.value} />
        ) : (
          <div class="stack">
            {(file === undefined || pasted.value !== "") && <ChooseFile />}
            {file && <PrepareImport key={file.file.name} file={file} />}
            {file === undefined && <RecentImports />}
          </div>
        )}
      </div>
    </Screen>
  );
}

/** Reads a file, or pasted lines, unless an import is already shown. */
async function read(source: File | string) {
  if (run.value !== undefined) return;
  if (source === "") return dropImport();
  pasted.value = typeof source === "string" ? source : "";
  isReading.value = source instanceof File;
  try {
    const { choose } = await import("./chosen-file.ts");
    await choose(source);
  } catch (error) {
    problem.value = toPetstoreError(error).message;
  }
  isReading.value = false;
}

function ChooseFile() {
  const set = (_: string, value: string) => void read(value);
  const lines = { id: "import", values: { lines: pasted.value }, problems: {}, set };
  return (
    <>
      {problem.value && (
        <p class="alert" role="alert">
          {problem.value}
        </p>
      )}
      {isReading.value && <p class="loading">Reading the file…</p>}
      <section class="card">
        <Labelled
          id="import-file"
          label="File"
          hint="CSV from any spreadsheet, or JSON. Choose a file, or drop it here."
        >
          {(describing) => (
            <input
              {...describing}
              id="import-file"
              type="file"
              accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson,text/csv"
              onChange={({ currentTarget }) => {
                const file = currentTarget.files?.[0];
                if (file) void read(file);
                // The file input is cleared, so that people can correct the file and choose it again.
                currentTarget.value = "";
              }}
            />
          )}
        </Labelled>
        <div class="field">
          <button type="button" class="secondary" onClick={() => void saveTemplate()}>
            Download template
          </button>
        </div>
        <LongTextField
          form={lines}
          name="lines"
          label="Lines"
          isOptional
          rows={pasted.value === "" ? 4 : 8}
          hint="Or type or paste animals here, one per line: a name, or name, category and status."
        />
      </section>
    </>
  );
}

async function saveTemplate() {
  const [{ TEMPLATE }, { save }] = await Promise.all([
    import("../../../pet-files/spreadsheet.ts"),
    import("./save-csv.ts"),
  ]);
  save("animals.csv", [TEMPLATE]);
}
