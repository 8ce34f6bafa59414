import { useEffect } from "preact/hooks";
import { account } from "../account/session.ts";
import { lazy } from "../components/lazy.tsx";
import { Screen } from "../components/screen.tsx";
import { AllAnimalsLink } from "../pets/all-animals-link.tsx";
import { toPetstoreError } from "../request-error.ts";
import { ChooseFile } from "./choose-file.tsx";
import { chosen, dropImport, isReading, problem, run } from "./import-state.ts";

// A page without a file needs neither.
const PrepareImport = lazy(async () => (await import("./prepare-import.tsx")).PrepareImport);
const ImportProgress = lazy(async () => (await import("./import-progress.tsx")).ImportProgress);

let owner: string | undefined;

export function ImportScreen() {
  const file = chosen.value;
  useEffect(() => {
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

async function choose(file: File | undefined): Promise<void> {
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

/** Without this, a file that is dropped replaces the page. */
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
