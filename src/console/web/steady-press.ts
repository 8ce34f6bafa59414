import { useLayoutEffect, useState } from "preact/hooks";

const CONTROL = "button, a[href], summary";
/** How long a control ignores presses after its action has changed or has run, in milliseconds. */
export const SETTLING_MS = 600;

/**
 * Prevents one press from acting twice. Without this, a press could act twice if the person holds down a key, or if the first
 * click of a double click puts another control under the pointer.
 */
export function startSteadyPress(): void {
  let pressed: Element | null = null;
  document.addEventListener(
    "keydown",
    (event) => {
      const isHeld = event.repeat && (event.key === "Enter" || event.key === " ");
      if (isHeld && event.target instanceof Element && event.target.matches(CONTROL)) event.preventDefault();
    },
    { capture: true },
  );
  document.addEventListener(
    "click",
    (event) => {
      const control = event.target instanceof Element ? event.target.closest(CONTROL) : null;
      if (event.detail < 2) pressed = control;
      else if (control !== pressed) {
        event.preventDefault();
        event.stopPropagation();
      }
    },
    { capture: true },
  );
}

/**
 * Returns true for a moment after the action of a control has changed, even if it changes back at once. A press during this moment
 * was meant for the previous action.
 */
export function useSettling(action: string | boolean, isNew = false): boolean {
  const [settled, setSettled] = useState(isNew ? undefined : action);
  useLayoutEffect(() => {
    if (settled === action) return;
    setSettled(undefined);
    const timer = setTimeout(() => setSettled(action), SETTLING_MS);
    return () => clearTimeout(timer);
  }, [action, settled]);
  return settled !== action;
}
