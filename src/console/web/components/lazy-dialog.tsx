import type { ComponentType } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Loaded } from "../use-load.ts";
import { closeDialog, Dialog } from "./dialog.tsx";
import { lazy } from "./lazy.tsx";
import { Loading } from "./loading.tsx";

interface StandInProps {
  readonly loaded: Loaded<unknown>;
  readonly onClose?: () => void;
}

/**
 * A dialog whose module is loaded when the dialog is first opened, or earlier if it is preloaded. Until then, a stand-in dialog
 * receives the keys that the person presses, so that the keys do not act on the page behind it.
 */
export function lazyDialog<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(load, StandIn);
}

/**
 * A dialog with an invisible field. The text that is typed into it, and an Enter after the text, are later passed on to the first
 * field of the real dialog.
 */
function StandIn({ loaded, onClose = closeDialog }: StandInProps) {
  const field = useRef<HTMLInputElement>(null);
  const isEntered = useRef(false);
  useLayoutEffect(() => {
    // The stand-in dialog's button does not get the focus. Otherwise, an Enter that is meant for the real dialog would close the
    // stand-in.
    field.current?.focus();
    return () => {
      const text = field.current?.value ?? "";
      // The real dialog focuses its first field when it is mounted, which is after this dialog is unmounted.
      queueMicrotask(() => typeIntoFocusedField(text, isEntered.current));
    };
  }, []);
  return (
    <Dialog title="One moment…" onClose={onClose} isPending={loaded.error === undefined}>
      <input
        ref={field}
        class="visually-hidden"
        aria-label="Text for the dialog"
        onKeyDown={({ key, isComposing }) => {
          isEntered.current = key === "Enter" && !isComposing;
        }}
      />
      <Loading loaded={loaded} what="the dialog" />
      <div class="actions">
        <button type="button" class="secondary" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

function typeIntoFocusedField(text: string, isEntered: boolean): void {
  const focused = document.activeElement;
  if (text === "" || !(focused instanceof HTMLInputElement) || focused.closest("dialog") === null) return;
  focused.value += text;
  focused.dispatchEvent(new Event("input", { bubbles: true }));
  const enter = new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true });
  if (isEntered && focused.dispatchEvent(enter)) focused.form?.requestSubmit();
}
