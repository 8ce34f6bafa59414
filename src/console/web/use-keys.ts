import { useEffect, useRef } from "preact/hooks";

const TYPED_INTO = "input:not([type=checkbox]), textarea, select, [contenteditable]";

/** Keyboard shortcuts for the whole page, inactive while the person is typing or a dialog is open. */
export function useKeys(actions: Readonly<Record<string, () => void>>): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    function press(event: KeyboardEvent) {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const { target } = event;
      const isTyping = target instanceof Element && target.closest(TYPED_INTO) !== null;
      const act = latest.current[event.key];
      if (act === undefined || isTyping || document.querySelector("dialog[open]") !== null) return;
      event.preventDefault();
      act();
    }
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}
