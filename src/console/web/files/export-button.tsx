import { signal } from "@preact/signals";
import { announce } from "../components/announce.tsx";
import { formatNumber } from "../format.ts";
import type { Query } from "../request.ts";
import { toPetstoreError } from "../request-error.ts";
import { useSettling } from "../steady-press.ts";
import type { SavedKind } from "./saved-kinds.ts";

/** The export that is running in this tab. It continues even if the menu that contains the button is closed. */
const running = signal<{ readonly aborter: AbortController; readonly count: number } | undefined>(undefined);

interface ExportButtonProps {
  readonly kind?: SavedKind;
  readonly filter?: Query;
}

/**
 * A button that saves all items that match the list's filter as a CSV file. While an export is running, the button cancels it.
 */
export function ExportButton({ kind = "animals", filter = {} }: ExportButtonProps) {
  const { aborter, count = 0 } = running.value ?? {};
  const isSettling = useSettling(aborter !== undefined);
  return (
    <button
      type="button"
      class="secondary"
      aria-disabled={isSettling || undefined}
      onClick={() => !isSettling && (aborter ? aborter.abort() : void saveList(kind, filter))}
    >
      {aborter ? `Cancel export (${formatNumber(count)})` : "Export CSV"}
    </button>
  );
}

async function saveList(kind: SavedKind, filter: Query) {
  const aborter = new AbortController();
  running.value = { aborter, count: 0 };
  announce("Exporting…");
  try {
    const { saveKind } = await import("./saved-kinds.ts");
    await saveKind(kind, filter, aborter.signal, (count) => {
      running.value = { aborter, count };
    });
    announce("Exported");
  } catch (error) {
    announce(
      aborter.signal.aborted ? "Export cancelled" : `Nothing was exported. ${toPetstoreError(error).message}`,
    );
  }
  running.value = undefined;
}
