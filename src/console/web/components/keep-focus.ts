import type { TargetedFocusEvent } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * Where a control with the focus is removed or disabled, the first link or button in its place has the focus next.
 *
 * @param heir a selector of what has it instead where the control is removed, wherever it is on the page
 */
export function useKeepFocus<Place extends HTMLElement>(heir?: string) {
  const ref = useRef<Place>(null);
  const last = useRef<Element | null>(null);
  useLayoutEffect(() => {
    const { activeElement, body } = document;
    if (activeElement !== null && activeElement !== body) return;
    const control = last.current;
    const isTaken = control?.isConnected === false || (heir === undefined && control?.matches(":disabled"));
    if (!isTaken) return;
    const next =
      heir === undefined ? ref.current?.querySelector("a, button:enabled") : document.querySelector(heir);
    if (!(next instanceof HTMLElement)) return;
    // Once: nothing takes the focus from where a later click, or a screen reader, has left it.
    last.current = null;
    next.focus({ preventScroll: true });
  });
  return {
    ref,
    onFocusIn({ target }: TargetedFocusEvent<Place>) {
      last.current = target instanceof Element ? target : null;
    },
  };
}
