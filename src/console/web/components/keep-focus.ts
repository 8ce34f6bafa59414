import type { TargetedFocusEvent } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * Keeps the focus inside an element. If the focused control is removed or disabled, the first link or button of the element gets
 * the focus.
 *
 * @param heir selector of another element on the page, which gets the focus instead if the control was removed
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
    // Moves the focus only once, so that it does not jump again after the person has clicked elsewhere or moved on with a screen
    // reader.
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
