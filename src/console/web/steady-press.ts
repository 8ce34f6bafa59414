import { useEffect, useState } from "preact/hooks";

const CONTROL = "button, a[href], summary";
/** Duration, in milliseconds, for which a control ignores presses after its action has changed. */
const SETTLING_MS = 600;

/** Keeps one press from acting twice: by a held key, or by a double click whose first click has put another control there. */
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

/** True for a moment after a control's action has changed: a second press was meant for the first action. */
export function useSettling(action: string, isNew = false): boolean {
  const [settled, setSettled] = useState(isNew ? undefined : action);
  useEffect(() => {
    if (settled === action) return;
    const timer = setTimeout(() => setSettled(action), SETTLING_MS);
    return () => clearTimeout(timer);
  }, [action, settled]);
  return settled !== action;
}
