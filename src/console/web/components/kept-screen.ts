import { useLayoutEffect, useRef } from "preact/hooks";
import { route } from "../router.ts";

/**
 * How long a screen is kept before it becomes inert, unless a key is pressed earlier. When it does, the browser recalculates the
 * styles of all its elements, which takes longer than most requests. Until then, a style covers the screen, so that it cannot be
 * clicked.
 */
const INERT_DELAY_MS = 500;

/**
 * Keeps the previous screen visible until the next screen has its data, and then scrolls the next screen to the right position.
 * Until then, the next screen is invisible, but screen readers already read it, because it has the document's title and the
 * focus.
 *
 * @returns the ref of the `main` element, which must be a different element for each path
 */
export function useKeptScreen() {
  const screen = useRef<HTMLElement>(null);
  const kept = useRef<HTMLElement | null>(null);
  const arrived = route.value;
  // During this rendering, `scrollY` is still the scroll position of the previous screen.
  const top = scrollY;

  useLayoutEffect(() => {
    const main = screen.current;
    const observer = new MutationObserver(showWhenLoaded);
    function showWhenLoaded() {
      if (main?.querySelector(":scope > .loading")) return;
      observer.disconnect();
      kept.current?.replaceWith();
      kept.current = null;
      arrived.scroll();
    }
    showWhenLoaded();
    if (main === null || kept.current === null) return;
    observer.observe(main, { childList: true });
    scrollTo(0, top);
    return () => observer.disconnect();
  }, [arrived]);
  useLayoutEffect(() => {
    // After a sign-out, the previous screen must not be visible any more.
    if (screen.current === null) kept.current = null;
    else keepWhenLeft(screen.current, kept);
  });
  return screen;
}

/**
 * Keeps a screen in the page after it was unmounted, unless an earlier screen is still kept. If the screen were removed and added
 * again, the browser would have to lay it out once more before it could request the data of the next screen.
 */
function keepWhenLeft(main: HTMLElement, kept: { current: HTMLElement | null }) {
  // Preact removes an element by calling its `remove`, so replacing this method keeps the element.
  main.remove = () => {
    // Without arguments, `replaceWith` removes the element.
    if (kept.current !== null) return main.replaceWith();
    kept.current = main;
    main.id = "kept";
    main.ariaHidden = "true";
    // The focus leaves the screen now, as it does when an element is removed, so that no key is pressed in the screen.
    main.querySelector<HTMLElement>(":focus")?.blur();
    function makeInert() {
      main.inert = true;
      removeEventListener("keydown", makeInert, true);
    }
    setTimeout(makeInert, INERT_DELAY_MS);
    addEventListener("keydown", makeInert, true);
  };
}
