import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

export const TYPED_INTO = "input:not([type=checkbox]), textarea, select, [contenteditable]";

/** Actions by key; `Mod+k` is Ctrl K or ⌘ K, also while the person is typing. An action that returns false leaves the key to the browser. */
type KeyActions = Readonly<Record<string, (event: KeyboardEvent) => unknown>>;

/**
 * Keyboard shortcuts for the whole page, inactive while the person is typing, and behind an open dialog or menu.
 *
 * @param place element in which the keys act; they stay active if it is in the dialog
 */
export function useKeys(actions: KeyActions, place?: RefObject<Element | null>): void {
  const latest = useRef(actions);
  latest.current = actions;
  // Registered before the next frame, because keys that a person presses until then would be lost.
  useLayoutEffect(() => {
    function press(event: KeyboardEvent) {
      const { target, key, altKey } = event;
      if (event.defaultPrevented || altKey || !(target instanceof Element)) return;
      const isModified = event.ctrlKey || event.metaKey;
      const act = latest.current[isModified ? `Mod+${key.toLowerCase()}` : key];
      if (act === undefined || (target.closest(TYPED_INTO) !== null && !isModified)) return;
      const isBehind =
        document.querySelector("dialog[open], :popover-open") !== null && !place?.current?.closest("dialog");
      if (isBehind || target.closest("[popover]") !== null) return;
      if (act(event) !== false) event.preventDefault();
    }
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}
