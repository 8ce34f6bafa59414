import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

export const TYPED_INTO = "input:not([type=checkbox]), textarea, select, [contenteditable]";

/**
 * The actions, keyed by the key that triggers them. `Mod+k` means Ctrl K or ⌘ K, which works even while the person is typing. If
 * an action returns false, the browser handles the key as usual.
 */
type KeyActions = Readonly<Record<string, (event: KeyboardEvent) => unknown>>;

/**
 * Adds keyboard shortcuts to the page. They have no effect while the person is typing, or while a dialog or a menu is open.
 *
 * @param place the element that the keys belong to; if it is in a dialog, the keys also work while this dialog is open
 */
export function useKeys(actions: KeyActions, place?: RefObject<Element | null>): void {
  const latest = useRef(actions);
  latest.current = actions;
  // This is a layout effect, so that the listener is registered before the next frame is drawn. Otherwise, keys that the person
  // presses before that would be lost.
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
