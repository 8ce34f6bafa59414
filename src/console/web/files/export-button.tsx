import { useSignal } from "@preact/signals";
import { announcePolite } from "../components/announce.tsx";
import { formatNumber } from "../format.ts";
import type { Query } from "../request.ts";
import { toPetstoreError } from "../request-error.ts";

/** Button that saves the animals that match a filter of `listPets` as a CSV file; during an export, cancels it. */
export function ExportButton({ filter }: { readonly filter: Query }) {
  const running = useSignal<{ readonly aborter: AbortController; readonly count: number } | undefined>(
    undefined,
  );
  const problem = useSignal("");

  async function run() {
    const aborter = new AbortController();
    const onProgress = (count: number) => {
      running.value = { aborter, count };
    };
    problem.value = "";
    onProgress(0);
    try {
      const { exportPets } = await import("./export-pets.ts");
      await exportPets(filter, onProgress, aborter.signal);
      announcePolite("Exported");
    } catch (error) {
      if (!aborter.signal.aborted) problem.value = `Nothing was exported. ${toPetstoreError(error).message}`;
    }
    running.value = undefined;
  }

  const { aborter, count = 0 } = running.value ?? {};
  return (
    <>
      <button type="button" class="secondary" onClick={() => (aborter ? aborter.abort() : void run())}>
        {aborter ? `Cancel export (${formatNumber(count)})` : "Export CSV"}
      </button>
      {problem.value && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
    </>
  );
}
