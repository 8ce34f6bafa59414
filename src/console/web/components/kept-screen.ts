import { useLayoutEffect, useRef } from "preact/hooks";
import { route } from "../router.ts";

/**
 * Keeps the previous screen visible until the next screen has its data, and then scrolls the next screen to the right position.
 * Until then, the next screen is invisible, but screen readers already read it, because it has the document's title and the
 * focus.
 *
 * @returns the ref of the `main` element, which must be a different element for each path
 */
export function useKeptScreen() {
  const screen = useRef<HTMLElement>(null);
  const last = useRef<HTMLElement | null>(null);
  const kept = useRef<HTMLElement | null>(null);
  const arrived = route.value;
  // During this rendering, the window still has the scroll position at which the person left the previous screen.
  const top = scrollY;

  useLayoutEffect(() => {
    const main = screen.current;
    if (last.current !== main) kept.current ??= last.current;
    const observer = new MutationObserver(showWhenLoaded);
    function showWhenLoaded() {
      if (main?.querySelector(":scope > .loading")) return;
      observer.disconnect();
      kept.current?.remove();
      kept.current = null;
      arrived.scroll();
    }
    showWhenLoaded();
    if (main === null || kept.current === null) return;
    observer.observe(main, { childList: true });
    keepInSight(kept.current, main);
    scrollTo(0, top);
    return () => observer.disconnect();
  }, [arrived]);
  useLayoutEffect(() => {
    last.current = screen.current;
    // After a sign-out, the previous screen must not be visible any more.
    if (screen.current === null) kept.current = null;
  });
  return screen;
}

/** Puts the elements of the previous screen, which is no longer mounted, before those of the next screen. */
function keepInSight(left: HTMLElement, main: HTMLElement) {
  left.removeAttribute("id");
  left.ariaHidden = "true";
  left.inert = true;
  if (left.nextSibling !== main) main.before(left);
}
