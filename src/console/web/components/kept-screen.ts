import { useLayoutEffect, useRef } from "preact/hooks";
import { route } from "../router.ts";

/**
 * Keeps the screen that the person leaves in sight until the next one has its data, and then scrolls to where the next one should
 * be seen. In the meantime, the next one is only read out: it has the title and the focus already.
 *
 * @returns the ref of the `main` element, which must be another element for each path
 */
export function useKeptScreen() {
  const screen = useRef<HTMLElement>(null);
  const last = useRef<HTMLElement | null>(null);
  const kept = useRef<HTMLElement | null>(null);
  const arrived = route.value;
  // While this renders, the page is still scrolled as the person left it.
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
    // After a sign-out, nothing of the last screen may come back.
    if (screen.current === null) kept.current = null;
  });
  return screen;
}

/** Puts the elements of the previous screen, which is no longer mounted, before those of the next one. */
function keepInSight(left: HTMLElement, main: HTMLElement) {
  left.removeAttribute("id");
  left.ariaHidden = "true";
  left.inert = true;
  if (left.nextSibling !== main) main.before(left);
}
