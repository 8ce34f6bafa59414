import { importOf } from "../../../pet-files/import-identity.ts";
import type { ImportView } from "../../imports-contract.ts";
import { LongText } from "../components/long-text.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { formatNumber } from "../format.ts";
import { call } from "../request.ts";
import { route } from "../router.ts";
import { useLoad } from "../use-load.ts";
import { UndoImport } from "./undo-import.tsx";

/**
 * Lists the imports that can be undone because their events are still stored. These are imports from any browser and from the
 * command line. If the query parameter `undo` contains the identity of an import, that import is shown even if it is too old for
 * the list.
 */
export function RecentImports() {
  const { value: imports = [], isLoading } = useLoad((signal) =>
    call<readonly ImportView[]>("GET", "/imports", { signal }),
  );
  const asked = route.value.query.get("undo") ?? "";
  const old = imports.some(({ identity }) => identity === asked) ? undefined : importOf(`${asked}_1`);
  if (isLoading || (imports.length === 0 && old === undefined)) return null;
  return (
    <section class="card">
      <h2>Recent imports</h2>
      <p class="muted">
        You can undo an import for as long as the store keeps its history (PETSTORE_HISTORY_DAYS). Animals
        that were changed, ordered or removed after the import are not touched.
      </p>
      <ul class="stack">
        {old && (
          <li key={old.identity}>
            <LongText text={old.file} /> <UndoImport {...old} isAsked />
          </li>
        )}
        {imports.map((one) => (
          <li key={one.identity}>
            <LongText text={one.file} /> · <Timestamp at={one.startedAt} /> · {countsOf(one)}{" "}
            <UndoImport identity={one.identity} file={one.file} isAsked={one.identity === asked} />
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
