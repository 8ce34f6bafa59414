import { useLayoutEffect, useRef } from "preact/hooks";
import { TYPED_INTO } from "./use-keys.ts";

/** Maximum time, in milliseconds, between two characters that a barcode scanner types. A person types more slowly. */
const GAP_MS = 50;
/** Minimum number of characters in quick succession that count as scanned text. If there are fewer, they are keyboard shortcuts. */
const BURST_MIN = 3;
/**
 * Delay before a keyboard shortcut that changes something takes effect. If no further character follows in this time, no barcode
 * scanner has typed the key.
 */
export const HELD_BACK_MS = GAP_MS * (BURST_MIN - 1) + 20;

/**
 * Calls `onBurst` with the first characters of a scanned text if a barcode scanner types while no field has the focus. The Enter
 * key that ends the text is ignored.
 */
export function useKeyBurst(onBurst: (text: string) => void): void {
  const latest = useRef(onBurst);
  latest.current = onBurst;
  useLayoutEffect(() => {
    let text = "";
    let last = Number.NEGATIVE_INFINITY;
    function press(event: KeyboardEvent) {
      const { key, target, timeStamp } = event;
      if (key === "Shift" || event.repeat) return;
      const isQuick = timeStamp - last <= GAP_MS;
      last = timeStamp;
      if (event.ctrlKey || event.metaKey || event.altKey || isTypedInto(target)) text = "";
      else if (key.length === 1) text = isQuick ? text + key : key;
      else if (key !== "Enter" || !isQuick) text = "";
      const isEnd = key === "Enter" && text.length >= BURST_MIN - 1;
      if (text.length < BURST_MIN && !isEnd && !(key === " " && text.length > 1)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      const isFirst = text.length === BURST_MIN || (isEnd && text.length < BURST_MIN);
      if (isFirst && document.querySelector("dialog[open]") === null) latest.current(text);
    }
    document.addEventListener("keydown", press, { capture: true });
    return () => document.removeEventListener("keydown", press, { capture: true });
  }, []);
}

function isTypedInto(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(TYPED_INTO) !== null;
}
