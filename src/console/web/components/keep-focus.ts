import type { TargetedFocusEvent } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * When a control inside an element is removed or disabled, moves the focus to the first link or button of the element.
 *
 * @param heir selector of the element that gets the focus if the control was removed, wherever that element is on the page
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
    // The focus is moved only once, so that it is not taken away from a later click or from a screen reader.
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
