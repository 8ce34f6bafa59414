import type { ImportView } from "../../imports-contract.ts";
import { LongText } from "../components/long-text.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { formatNumber } from "../format.ts";
import { call } from "../request.ts";
import { useLoad } from "../use-load.ts";
import { UndoImport } from "./undo-import.tsx";

/** Imports from any browser and from the command line, which can be undone while their changes are kept. */
export function RecentImports() {
  const { value: imports = [] } = useLoad((signal) =>
    call<readonly ImportView[]>("GET", "/imports", { signal }),
  );
  if (imports.length === 0) return null;
  return (
    <section class="card">
      <h2>Recent imports</h2>
      <p class="muted">
        You can undo an import for as long as the store keeps its history (PETSTORE_HISTORY_DAYS). Animals
        that were changed, ordered or removed since are left as they are.
      </p>
      <ul class="stack">
        {imports.map((one) => (
          <li key={one.identity}>
            <LongText text={one.file} /> <Timestamp at={one.startedAt} />: {countsOf(one)}{" "}
            <UndoImport identity={one.identity} file={one.file} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function countsOf({ added, changed, isUndone }: ImportView): string {
  const counts = [
    `${formatNumber(added)} added`,
    changed > 0 && `${formatNumber(changed)} changed`,
    isUndone && "undone",
  ];
  return counts.filter(Boolean).join(", ");
}
