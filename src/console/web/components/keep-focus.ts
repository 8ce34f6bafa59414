import type { TargetedFocusEvent } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * Moves the focus of a removed or disabled control to the first link or button in its place.
 *
 * @param heir selector of the element that gets the focus if the control was removed, wherever it was in the page
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
    // Only once, so that it does not take the focus from a later click or a screen reader.
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
