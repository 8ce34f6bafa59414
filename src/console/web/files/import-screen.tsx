import { useEffect } from "preact/hooks";
import { account } from "../account/session.ts";
import { lazy } from "../components/lazy.tsx";
import { Screen } from "../components/screen.tsx";
import { ChooseFile } from "./choose-file.tsx";
import { chosen, dropImport, run } from "./import-state.ts";

// A page without a file needs neither.
const PrepareImport = lazy(async () => (await import("./prepare-import.tsx")).PrepareImport);
const ImportProgress = lazy(async () => (await import("./import-progress.tsx")).ImportProgress);

let owner: string | undefined;

export function ImportScreen() {
  const file = chosen.value;
  useEffect(() => {
    if (owner !== account.value?.email) dropImport();
    owner = account.value?.email;
  }, []);
  return (
    <Screen title="Import animals">
      {file === undefined ? (
        <ChooseFile />
      ) : run.value === undefined ? (
        <PrepareImport key={file.file} file={file} />
      ) : (
        <ImportProgress file={file} run={run.value} />
      )}
    </Screen>
  );
}
