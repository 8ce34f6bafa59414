import { useSignal } from "@preact/signals";
import { Combobox } from "../components/combobox.tsx";
import { Dialog } from "../components/dialog.tsx";
import { Icon } from "../components/icon.tsx";
import { lazy } from "../components/lazy.tsx";
import type { Option } from "../components/option.ts";
import { useKeyBurst } from "../key-burst.ts";
import { connectionError } from "../request-error.ts";
import { navigate } from "../router.ts";
import { useKeys } from "../use-keys.ts";

const FindKeys = lazy(async () => (await import("./find-hits.tsx")).FindKeys);

/** The button that opens the dialog for finding animals and pages. The keys `/`, Ctrl K or ⌘ K, and `?` open the dialog, too. */
export function FindButton() {
  /** The initial text of the dialog, or `KEYS` for the list of keyboard shortcuts. It is undefined while the dialog is closed. */
  const opened = useSignal<string | undefined>(undefined);
  const show = (text: string | undefined) => () => {
    opened.value = text;
  };
  const open = show("");
  useKeyBurst((text) => show(text)());
  useKeys({ "/": open, "?": show(KEYS), "Mod+k": open });
  return (
    <>
      <button
        type="button"
        class="secondary find-button"
        aria-label="Find"
        aria-keyshortcuts="/ Control+K Meta+K"
        onClick={open}
      >
        <Icon name="find" />
        <span>Find</span>
        <span class="key">/</span>
      </button>
      {opened.value !== undefined && <FindDialog text={opened.value} onClose={show(undefined)} />}
    </>
  );
}

/**
 * The text that opens the dialog with the list of keyboard shortcuts. The dialog then has no suggestions, because they would hide
 * the list.
 */
const KEYS = "?";

interface FindDialogProps {
  readonly text: string;
  readonly onClose: () => void;
}

function FindDialog({ text, onClose }: FindDialogProps) {
  const isForKeys = text === KEYS;
  const missing = useSignal("");
  async function search(text: string, signal: AbortSignal) {
    const { findHits } = await import("./find-hits.tsx").catch(() => {
      throw connectionError();
    });
    const hits = await findHits(text, signal, onClose);
    missing.value = hits.length === 0 ? `No animal or page matches “${text}”.` : "";
    return hits;
  }
  function select(hit: Option | undefined) {
    if (hit === undefined) return;
    onClose();
    // The page opens only after the Find dialog has closed, because the heading of the page cannot get the focus while the dialog
    // is open.
    queueMicrotask(() => (hit.value.startsWith("/docs") ? location.assign(hit.value) : navigate(hit.value)));
  }
  return (
    <Dialog title="Find" onClose={onClose}>
      <div class="find">
        <Combobox
          id="find"
          label="Name, number or page"
          noun="animal or page"
          hint={missing.value}
          selected={undefined}
          onSelect={select}
          search={search}
          initial={isForKeys ? undefined : text}
          isForOpening
        />
        {isForKeys && <FindKeys />}
        <div class="actions">
          <button type="button" class="secondary" onClick={onClose}>
            Close
          </button>
        </div>
      </div>
    </Dialog>
  );
}
