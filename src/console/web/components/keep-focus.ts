import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Where a control with the focus is replaced or disabled, the first button in its place has the focus next. */
export function useKeepFocus<Place extends HTMLElement>(): RefObject<Place | null> {
  const place = useRef<Place>(null);
  const last = useRef<Element | null>(null);
  const { activeElement } = document;
  if (place.current?.contains(activeElement)) last.current = activeElement;
  useLayoutEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body;
    const wasTaken =
      last.current !== null && (!last.current.isConnected || last.current.matches(":disabled"));
    if (!isLost || !wasTaken) return;
    place.current?.querySelector<HTMLElement>("button:enabled")?.focus();
  });
  return place;
}
