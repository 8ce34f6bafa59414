import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

export const TYPED_INTO = "input:not([type=checkbox]), textarea, select, [contenteditable]";

/**
 * The actions for each key. `Mod+k` means Ctrl K or ⌘ K, which works even while the person is typing. If an action returns false,
 * the browser handles the key as usual.
 */
type KeyActions = Readonly<Record<string, (event: KeyboardEvent) => unknown>>;

/**
 * Adds keyboard shortcuts to the page. They are inactive while the person is typing, and while a dialog or a menu is open.
 *
 * @param place element in which the keys act; if it is in the open dialog, the keys stay active
 */
export function useKeys(actions: KeyActions, place?: RefObject<Element | null>): void {
  const latest = useRef(actions);
  latest.current = actions;
  // The listener is registered before the next frame is drawn, because keys that a person presses before that would be lost.
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
